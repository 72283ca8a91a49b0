import { jsonEqual } from '../../../objects/json.ts';

/**
 * Decides which mutating webhooks are asked a second time about the same request: those that want to be, if the object changed after they saw it. As Kubernetes'
 * `webhookReinvokeContext`.
 */
export class Reinvocation {
  /** Those that have seen the object, and want to see it again if it changes. */
  readonly #invoked = new Set<string>();
  readonly #due = new Set<string>();
  #lastObject: unknown;

  /** Called after a webhook was asked. Its own change is no reason to ask it again. */
  noteCall(id: string, { changed, wantsAgain }: { readonly changed: boolean; readonly wantsAgain: boolean }): void {
    if (changed) this.#requireAll();
    if (wantsAgain) this.#invoked.add(id);
  }

  /** Called after the first round, with what it made of the object. */
  endRound(object: unknown): void {
    this.#lastObject = object;
  }

  /** Called before the second round, with what the server's own admission made of the object. */
  beginAgain(object: unknown): void {
    if (!jsonEqual(object, this.#lastObject)) this.#requireAll();
  }

  /** True if the webhook is asked in the second round. */
  isDue(id: string): boolean {
    return this.#due.has(id);
  }

  #requireAll(): void {
    for (const id of this.#invoked) this.#due.add(id);
    this.#invoked.clear();
  }
}
