import type { BilledInvocation } from '../functions/EmulatedFunction.ts';

/** Told of everything that a bill counts. */
export interface Meter {
  /** An exchange of a function with DynamoDB. Absent: functions need not be overheard. */
  dynamoDb?(operation: string, body: string, answer: string): void;
  /** A request to the API was answered with so many bytes. */
  request(answerBytes: number): void;
  invocation(invocation: BilledInvocation): void;
  /** A request to SQS, by a function or by one of Lambda's own pollers. */
  sqs(operation: string): void;
  logged(bytes: number): void;
}

/** Nothing is counted. */
export const NO_METER: Meter = {
  request: () => {},
  invocation: () => {},
  sqs: () => {},
  logged: () => {},
};
