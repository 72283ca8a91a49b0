import { expect } from 'vitest';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { type Api, startApi } from '../../rest/startApi.ts';
import { threadCpuMs } from './threadCpuMs.ts';

/** A request whose size can be chosen, and which does damage where a part of the work grows faster than the request. */
export interface GrowingRequest {
  readonly name: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The same for each size, or one that grows: with a selector in it. */
  readonly url: string | ((share: number) => string);
  readonly contentType?: string;
  /** The body at a share of the largest size that is worth sending. Absent: none. */
  readonly bodyOf?: (share: number) => string | Uint8Array;
}

/** What a request has taken. */
export interface Charge {
  /** Of the path, the query and the body. */
  readonly sentBytes: number;
  readonly steps: number;
  readonly keptBytes: number;
  readonly answeredBytes: number;
  /** True if it ended in the Status of a request that asks for too much; or in Kubernetes' own, for a patch whose operations copy more than a body may hold. */
  readonly isRefused: boolean;
}

const MAX_REFUSAL_BYTES = 64_000;
/** Milliseconds of CPU time: many times what is seen. They find work that draws no steps at all, and nothing else. */
const MAX_FREE_MS = 1_000;
const MAX_MS_PER_STEP = 0.003;
/** By how much one request may raise the most memory that the process ever used. */
const MAX_MEMORY_MIB = 150;

/** An API that tells what each request has taken. */
export class MeasuredApi {
  readonly api: Api;
  readonly #budgets: RequestBudget[];

  private constructor(api: Api, budgets: RequestBudget[]) {
    this.api = api;
    this.#budgets = budgets;
  }

  static async start(): Promise<MeasuredApi> {
    const budgets: RequestBudget[] = [];
    const createBudget = () => {
      const budget = new RequestBudget();
      budgets.push(budget);
      return budget;
    };
    return new MeasuredApi(await startApi({ createBudget }), budgets);
  }

  /** Sends a request. The answer must be sound and, if it is a refusal, short, and neither time nor memory may be taken without drawing on the budget. */
  async charge(request: GrowingRequest, share: number): Promise<Charge> {
    const { method = 'POST', contentType = 'application/json' } = request;
    const url = typeof request.url === 'string' ? request.url : request.url(share);
    const body = request.bodyOf?.(share);
    const init = {
      method,
      headers: { 'content-type': contentType },
      ...(body !== undefined && { body: body as string }),
    };
    this.#budgets.length = 0;
    const peakMib = peakMemoryMib();
    const beganMs = threadCpuMs();
    const response = await this.api.app.request(new Request(`http://127.0.0.1${url}`, init));
    const text = await response.text();
    const ms = threadCpuMs() - beganMs;
    const { steps, bytes } = this.#budgets[0]?.spent ?? { steps: 0, bytes: 0 };
    expect(peakMemoryMib() - peakMib, 'MiB of memory').toBeLessThan(MAX_MEMORY_MIB);
    expect(ms, `milliseconds for ${steps} steps`).toBeLessThan(MAX_FREE_MS + steps * MAX_MS_PER_STEP);
    this.#expectSound(response, text);
    return {
      sentBytes: url.length + (body === undefined ? 0 : Buffer.byteLength(body)),
      steps,
      keptBytes: bytes,
      answeredBytes: text.length,
      isRefused:
        (response.status === 413 && text.includes('Request entity too large: limit is ')) ||
        (contentType.includes('json-patch') && response.status === 422 && text.includes('rejected our request')),
    };
  }

  #expectSound({ status, headers }: Response, text: string): void {
    // Kubernetes answers 500, too, to a configuration that does not fit its kind's schema, and to an object that the store cannot take.
    const isForeign = /"message":"(?:failed to create typed patch object \(|etcdserver: )/.test(text);
    expect([status < 500 || isForeign, this.api.errors], text.slice(0, 500)).toEqual([true, []]);
    if (status >= 400) expect(Buffer.byteLength(text)).toBeLessThan(MAX_REFUSAL_BYTES);
    expect([...headers].join().length).toBeLessThan(8_000);
  }
}

function peakMemoryMib(): number {
  return process.resourceUsage().maxRSS / 1024;
}
