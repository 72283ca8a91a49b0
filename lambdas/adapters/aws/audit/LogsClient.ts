import type { Clock } from '../../../ports/Clock.ts';
import { type AwsCredentials, signRequest } from './signRequest.ts';

export interface LogsClientOptions {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<AwsCredentials>;
  /** `https://logs.eu-west-1.amazonaws.com`. Absent: the service's own in the region. */
  readonly endpoint?: string | undefined;
  readonly clock: Clock;
}

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

/** A request that is not answered is given up before the function's time is over. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Calls the JSON API of CloudWatch Logs, of which two actions are needed. The SDK's client of that service would be a large part of the function's code. */
export class LogsClient {
  readonly #options: LogsClientOptions;

  constructor(options: LogsClientOptions) {
    this.#options = options;
  }

  /** Resolves when an action is carried out. Rejects with a LogsError, or with the error of a request that has no answer. */
  async call(action: 'CreateLogStream' | 'PutLogEvents', input: object): Promise<void> {
    const response = await this.#send(action, JSON.stringify(input));
    const { __type: type = `HTTP ${response.status}`, message = '' } = parseAnswer(await response.text());
    // `com.amazonaws.logs#ResourceNotFoundException` in some answers.
    if (!response.ok) throw new LogsError(type.slice(type.indexOf('#') + 1), response.status, message);
  }

  async #send(action: string, body: string): Promise<Response> {
    const { clock } = this.#options;
    const [region, credentials] = await Promise.all([this.#options.region(), this.#options.credentials()]);
    const url = new URL(this.#options.endpoint ?? endpointIn(region));
    const headers = signRequest({
      url,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` },
      body,
      service: 'logs',
      region,
      credentials,
      nowMs: clock.now(),
    });
    const late = new AbortController();
    const cancel = clock.setTimer(ANSWER_TIMEOUT_MS, () => late.abort(new Error(`${action} was not answered in time`)));
    try {
      return await fetch(url, { method: 'POST', headers, body, signal: late.signal });
    } finally {
      cancel();
    }
  }
}

function endpointIn(region: string): string {
  return `https://logs.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** What the answer to a refused action has. */
interface Refusal {
  readonly __type?: string;
  readonly message?: string;
}

function parseAnswer(text: string): Refusal {
  try {
    return JSON.parse(text === '' ? '{}' : text) as Refusal;
  } catch {
    return { message: text.slice(0, 200) };
  }
}
