import { DEFAULT_STACK_PROPS } from '../../../infra/cdk/DriftlessStackProps.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import type { ModelStack } from '../ModelStack.ts';

/** A client's requests with what API Gateway asks the authorizer before. What the gateway itself takes is left out. */
export class FirstRequests {
  readonly #stack: ModelStack;
  #answerKeptUntilMs = 0;

  constructor(stack: ModelStack) {
    this.#stack = stack;
  }

  /** Resolves when the object is read. */
  async send(key: ObjectKey): Promise<void> {
    if (this.#stack.scheduler.now() >= this.#answerKeptUntilMs) await this.#ask();
    await this.#stack.cloud.functions.api.invoke(async ({ registry }: ApiStore) => await registry.get(key));
  }

  async #ask(): Promise<void> {
    await this.#stack.cloud.functions.authorize.invoke({});
    this.#answerKeptUntilMs = this.#stack.scheduler.now() + DEFAULT_STACK_PROPS.authorizerCacheSeconds * 1_000;
  }
}
