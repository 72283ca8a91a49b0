import { randomBytes } from 'node:crypto';
import type { Meter } from '../bill/Meter.ts';
import type { IsPermitted } from '../iam/isAllowed.ts';
import { dynamoDbActions, type RequestedAction, sqsActions } from '../iam/requestedActions.ts';
import type { ServiceAddress } from './postJson.ts';
import { type ServiceProxy, openServiceProxy } from './openServiceProxy.ts';

/** The emulators behind the proxies. */
export interface EmulatedServices {
  readonly dynamoDb: ServiceAddress;
  /** The access key under which the emulator of DynamoDB keeps the tables. */
  readonly accessKeyId: string;
  readonly sqs: ServiceAddress;
  /** The beginning of the emulator's queue URLs; functions see `http://127.0.0.1:PORT/` instead. */
  readonly queueOrigin: string;
}

/** The proxies through which functions reach DynamoDB and SQS. */
export interface Services {
  readonly dynamoDb: ServiceProxy;
  readonly sqs: ServiceProxy;
  /** The session token that functions must send. It is new in each run, so that no other program on this machine can act as a function. */
  readonly sessionToken: string;
  /** Sets the functions' permissions. Before this call every request is refused. */
  setPermissions(isPermitted: IsPermitted): void;
  close(): Promise<void>;
}

type ActionsOf = (operation: string, body: string) => readonly RequestedAction[];

/** Opens the proxies in front of the emulators. They refuse requests that the caller's role does not allow, and report usage to the meter. */
export async function openServiceProxies(emulated: EmulatedServices, meter: Meter): Promise<Services> {
  const sessionToken = randomBytes(32).toString('hex');
  const { accessKeyId } = emulated;
  let isPermitted: IsPermitted = () => false;
  const refuse = (actionsOf: ActionsOf) => (caller: string, operation: string, body: string) => {
    const denied = actionsOf(operation, body).find(({ action, resource }) => !isPermitted(caller, action, resource));
    return denied && `User: ${caller} is not authorized to perform: ${denied.action} on resource: ${denied.resource}`;
  };
  const dynamoDb = await openServiceProxy({
    target: emulated.dynamoDb,
    accessKeyId,
    sessionToken,
    refuse: refuse(dynamoDbActions),
    rewrite: meter.dynamoDb ? withConsumedCapacity : (body) => body,
    onExchange: (...exchange) => meter.dynamoDb?.(...exchange),
  });
  const sqs: ServiceProxy = await openServiceProxy({
    target: emulated.sqs,
    accessKeyId,
    sessionToken,
    refuse: refuse(sqsActions),
    rewrite: (body) => body.replaceAll(`${sqs.endpoint}/`, emulated.queueOrigin),
    onExchange: (operation) => meter.sqs(operation),
  });
  return {
    dynamoDb,
    sqs,
    sessionToken,
    setPermissions: (given) => {
      isPermitted = given;
    },
    close: async () => void (await Promise.all([dynamoDb.close(), sqs.close()])),
  };
}

/** Makes the request ask for its consumed capacity. Streams have none. */
function withConsumedCapacity(body: string): string {
  if (/"(?:StreamArn|ShardIterator)":/.test(body)) return body;
  return body.includes('"ReturnConsumedCapacity"') ? body : body.replace('{', '{"ReturnConsumedCapacity":"INDEXES",');
}
