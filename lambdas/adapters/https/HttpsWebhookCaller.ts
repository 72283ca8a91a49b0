import type { WebhookAnswer, WebhookCaller, WebhookTarget } from '../../ports/WebhookCaller.ts';
import type { HttpsCalls, HttpsCallsOptions } from './HttpsCalls.ts';

/** Calls webhooks over HTTPS. The client is loaded with the first call, since most servers call none. */
export class HttpsWebhookCaller implements WebhookCaller {
  readonly #options: HttpsCallsOptions;
  #calls: Promise<HttpsCalls> | undefined;

  constructor(options: HttpsCallsOptions) {
    this.#options = options;
  }

  async post(target: WebhookTarget, json: string, timeoutMs: number): Promise<WebhookAnswer> {
    const calls = await (this.#calls ??= load(this.#options));
    return await calls.post(target, json, timeoutMs);
  }
}

async function load(options: HttpsCallsOptions): Promise<HttpsCalls> {
  const { HttpsCalls: Calls } = await import('./HttpsCalls.ts');
  return new Calls(options);
}
