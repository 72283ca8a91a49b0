import { sendSigned, type SignedCaller } from '../sendSigned.ts';

/** A refusal of CloudWatch Logs. `name` is its exception: `ResourceNotFoundException`. */
export class LogsError extends Error {
  /** True for what a later attempt may not meet. */
  readonly isTransient: boolean;

  constructor(name: string, status: number, message: string) {
    super(message === '' ? name : `${name}: ${message}`);
    this.name = name;
    this.isTransient = status >= 500 || /Throttl|TooManyRequests|Unavailable|Timeout/.test(name);
  }
}

/**
 * Which events of a request were not taken: those before one place, or from another one on. By
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_RejectedLogEventsInfo.html they are too old, or more than two hours in the future.
 */
export interface RejectedEvents {
  readonly expiredLogEventEndIndex?: number;
  readonly tooOldLogEventEndIndex?: number;
  readonly tooNewLogEventStartIndex?: number;
}

/** What CloudWatch Logs says of an action that it has carried out. */
export interface LogsAnswer {
  /** Absent: all of the events were taken. */
  readonly rejected?: RejectedEvents;
}

/** A request that is not answered is given up before the function's time is over. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Calls the JSON API of CloudWatch Logs, of which two actions are needed. */
export class LogsClient {
  readonly #caller: SignedCaller;

  constructor(caller: SignedCaller) {
    this.#caller = caller;
  }

  /** Resolves when an action is carried out, or a part of it: `rejected` says what of it is not. Rejects with a LogsError, or with the error of a request that has no answer. */
  async call(action: 'CreateLogStream' | 'PutLogEvents', input: object): Promise<LogsAnswer> {
    const { status, isOk, text } = await sendSigned(this.#caller, {
      service: 'logs',
      action,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` },
      body: JSON.stringify(input),
      timeoutMs: ANSWER_TIMEOUT_MS,
    });
    const { __type: type = `HTTP ${status}`, message = '', rejectedLogEventsInfo } = parseAnswer(text);
    // `com.amazonaws.logs#ResourceNotFoundException` in some answers.
    if (!isOk) throw new LogsError(type.slice(type.indexOf('#') + 1), status, message);
    return rejectedLogEventsInfo ? { rejected: rejectedLogEventsInfo } : {};
  }
}

/** What an answer has, of a refused action or of one that was carried out. */
interface AnswerBody {
  readonly __type?: string;
  readonly message?: string;
  readonly rejectedLogEventsInfo?: RejectedEvents;
}

function parseAnswer(text: string): AnswerBody {
  try {
    return JSON.parse(text === '' ? '{}' : text) as AnswerBody;
  } catch {
    return { message: text.slice(0, 200) };
  }
}
