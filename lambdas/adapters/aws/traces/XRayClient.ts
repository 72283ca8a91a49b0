import { sendSigned, type SignedCaller } from '../sendSigned.ts';

/** What X-Ray says of documents that it has received: those that it did not take, with its reasons. */
export interface XRayAnswer {
  readonly UnprocessedTraceSegments?: readonly object[];
}

const PATHS = { PutTraceSegments: '/TraceSegments' } as const;

/** Calls X-Ray's API, of which one action is needed. */
export class XRayClient {
  readonly #caller: SignedCaller;

  constructor(caller: SignedCaller) {
    this.#caller = caller;
  }

  /** Rejects if the action is refused, or not answered within this time. */
  async call(action: keyof typeof PATHS, input: object, timeoutMs: number): Promise<XRayAnswer> {
    const { status, isOk, text } = await sendSigned(this.#caller, {
      service: 'xray',
      action,
      path: PATHS[action],
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      timeoutMs,
    });
    if (!isOk) throw new Error(`X-Ray answers with ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as XRayAnswer;
  }
}
