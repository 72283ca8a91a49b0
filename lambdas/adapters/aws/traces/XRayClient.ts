import type { Clock } from '../../../ports/Clock.ts';
import type { AwsCredentials } from '../AwsCredentials.ts';
import { signRequest } from '../audit/signRequest.ts';

export interface XRayClientOptions {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<AwsCredentials>;
  /** `https://xray.eu-west-1.amazonaws.com`. Absent: the service's own in the region. */
  readonly endpoint?: string | undefined;
  readonly clock: Clock;
}

/** What X-Ray says of documents that it has received: those that it did not take, with its reasons. */
export interface XRayAnswer {
  readonly UnprocessedTraceSegments?: readonly object[];
}

const PATHS = { PutTraceSegments: '/TraceSegments' } as const;

/** Calls X-Ray's API, of which one action is needed. The SDK's client of that service would be a large part of the function's code. */
export class XRayClient {
  readonly #options: XRayClientOptions;

  constructor(options: XRayClientOptions) {
    this.#options = options;
  }

  /** Rejects if the action is refused, or not answered within this time. */
  async call(action: keyof typeof PATHS, input: object, timeoutMs: number): Promise<XRayAnswer> {
    const { clock, endpoint } = this.#options;
    const [region, credentials] = await Promise.all([this.#options.region(), this.#options.credentials()]);
    const url = new URL(PATHS[action], endpoint ?? endpointIn(region));
    const body = JSON.stringify(input);
    const contentType = { 'content-type': 'application/json' };
    const signed = { url, headers: contentType, body, service: 'xray', region, credentials, nowMs: clock.now() };
    const headers = await signRequest(signed);
    const late = new AbortController();
    const cancel = clock.setTimer(timeoutMs, () => late.abort(new Error('X-Ray does not answer in time')));
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: late.signal });
      const text = await response.text();
      if (!response.ok) throw new Error(`X-Ray answers with ${response.status}: ${text.slice(0, 200)}`);
      return JSON.parse(text) as XRayAnswer;
    } finally {
      cancel();
    }
  }
}

function endpointIn(region: string): string {
  return `https://xray.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
