import type { ApiAnswer, ApiRequest, SmokeTestApi, SmokeTestTime } from './SmokeTestApi.ts';

/** A step of the smoke test failed: the message is `step: why`. */
export class SmokeTestError extends Error {
  constructor(step: string, why: string) {
    super(`${step}: ${why}`);
    this.name = 'SmokeTestError';
  }
}

/** For so long the authorizer, IAM and `resync` may not know the user and its role yet. */
export const RIGHTS_MS = 90_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const MAX_WHY_CHARACTERS = 300;

/** Requests of one part of the smoke test, which ends at a deadline. */
export class Requests {
  readonly #api: SmokeTestApi;
  readonly #time: SmokeTestTime;
  readonly #deadlineMs: number;
  readonly #rightsUntilMs: number;

  constructor(api: SmokeTestApi, time: SmokeTestTime, deadlineMs: number) {
    this.#api = api;
    this.#time = time;
    this.#deadlineMs = deadlineMs;
    this.#rightsUntilMs = time.now() + RIGHTS_MS;
  }

  /**
   * Sends a request until it is answered with 2xx, or with one of the statuses that are `alsoFine`. Tries again what may pass: no answer, 409, 429, 5xx, and for the first while 401 and 403. Throws a SmokeTestError with the step's name, and the
   * last answer.
   */
  async send(step: string, request: ApiRequest, alsoFine: readonly number[] = []): Promise<ApiAnswer> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const answer = await this.sendOnce(request).catch((error: unknown) => String(error));
      if (typeof answer !== 'string' && (isFine(answer) || alsoFine.includes(answer.status))) return answer;
      const mayPass = typeof answer === 'string' || this.#mayPass(answer.status);
      if (mayPass && (await this.pause(pauseMs))) continue;
      throw new SmokeTestError(step, typeof answer === 'string' ? `no answer: ${answer}` : describe(answer));
    }
  }

  /** Sends a request, whatever the answer is. Rejects if there is none. */
  sendOnce(request: ApiRequest): Promise<ApiAnswer> {
    return this.#api.send(request);
  }

  /** Waits, and resolves to true; resolves to false at once if the deadline is before that. */
  async pause(ms: number): Promise<boolean> {
    if (this.#time.now() + ms > this.#deadlineMs) return false;
    await this.#time.pause(ms);
    return true;
  }

  #mayPass(status: number): boolean {
    if (status === 401 || status === 403) return this.#time.now() < this.#rightsUntilMs;
    return status === 409 || status === 429 || status >= 500;
  }
}

function isFine({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/** `403: deployments.apps is forbidden: …`, of a Status or of anything else. */
function describe({ status, body }: ApiAnswer): string {
  const { message } = (typeof body === 'object' && body !== null ? body : {}) as { readonly message?: string };
  const text = message ?? (typeof body === 'string' ? body : JSON.stringify(body));
  return `${status}: ${text.slice(0, MAX_WHY_CHARACTERS)}`;
}
