import type { WebhookAnswer, WebhookCaller, WebhookTarget } from '../../ports/WebhookCaller.ts';
import type { HttpsCalls } from './HttpsCalls.ts';

/** Calls webhooks over HTTPS. The client is loaded with the first call, since most servers call none. */
export class HttpsWebhookCaller implements WebhookCaller {
  #calls: Promise<HttpsCalls> | undefined;

  async post(target: WebhookTarget, json: string, timeoutMs: number): Promise<WebhookAnswer> {
    const calls = await (this.#calls ??= load());
    return await calls.post(target, json, timeoutMs);
  }
}

async function load(): Promise<HttpsCalls> {
  const { HttpsCalls: Calls } = await import('./HttpsCalls.ts');
  return new Calls();
}
