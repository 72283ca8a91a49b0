import type { Clock } from '../../ports/Clock.ts';
import type { AwsCredentials } from './AwsCredentials.ts';
import { signRequest } from './signRequest.ts';

/** How a service is called without the SDK's client of it, which would be a large part of a function's code. */
export interface SignedCaller {
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<AwsCredentials>;
  /** `https://logs.eu-west-1.amazonaws.com`. Absent: the service's own in the region. */
  readonly endpoint?: string | undefined;
  readonly clock: Clock;
}

export interface SignedCall {
  readonly service: 'logs' | 'xray';
  /** For an error: `PutLogEvents`. */
  readonly action: string;
  /** `/`, unless it is said. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Sends a POST with its signature. Rejects if it is not answered within this time. */
export async function sendSigned(
  caller: SignedCaller,
  { service, action, path = '/', headers, body, timeoutMs }: SignedCall,
): Promise<{ readonly status: number; readonly isOk: boolean; readonly text: string }> {
  const { clock, endpoint } = caller;
  const [region, credentials] = await Promise.all([caller.region(), caller.credentials()]);
  const url = new URL(path, endpoint ?? endpointIn(region, service));
  const signed = await signRequest({ url, headers, body, service, region, credentials, nowMs: clock.now() });
  const late = new AbortController();
  const cancel = clock.setTimer(timeoutMs, () => late.abort(new Error(`${action} was not answered in time`)));
  try {
    const response = await fetch(url, { method: 'POST', headers: signed, body, signal: late.signal });
    return { status: response.status, isOk: response.ok, text: await response.text() };
  } finally {
    cancel();
  }
}

function endpointIn(region: string, service: string): string {
  return `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
