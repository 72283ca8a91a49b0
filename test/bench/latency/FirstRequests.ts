import { DEFAULT_STACK_PROPS } from '../../../infra/cdk/DriftlessStackProps.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ApiStore } from '../../model/cloud/CloudModel.ts';
import { FunctionModel, type Instance } from '../../model/lambda/FunctionModel.ts';
import { PUBLISHED_LATENCIES } from '../../model/publishedLatencies.ts';
import { drawMs } from '../../model/Spread.ts';
import { Random } from '../../simulation/Random.ts';
import type { ModelStack } from '../ModelStack.ts';

/** A client's requests with what API Gateway asks the authorizer before. What the gateway itself takes is left out. */
export class FirstRequests {
  readonly #stack: ModelStack;
  readonly #random: Random;
  readonly #authorize: FunctionModel;
  #answerKeptUntilMs = 0;

  constructor(stack: ModelStack, seed: number) {
    this.#stack = stack;
    this.#random = new Random(seed);
    const { scheduler } = stack;
    const { name, timeoutMs } = { name: 'authorize', timeoutMs: FUNCTIONS.authorize.timeoutMs };
    const options = { name, timeoutMs, memoryMb: DEFAULT_STACK_PROPS.memoryMb.authorize, start: () => this.#start() };
    this.#authorize = new FunctionModel(options, {
      scheduler,
      random: this.#random,
      account: { concurrencyLimit: 1_000, inUse: 0 },
      coldStartMs: PUBLISHED_LATENCIES.coldStartMs,
      latencies: PUBLISHED_LATENCIES,
      onInvocation: () => {},
      onThrottled: () => {},
    });
  }

  /** Resolves when the object is read. */
  async send(key: ObjectKey): Promise<void> {
    if (this.#stack.scheduler.now() >= this.#answerKeptUntilMs) await this.#ask();
    await this.#stack.cloud.functions.api.invoke(async ({ registry }: ApiStore) => await registry.get(key));
  }

  async #ask(): Promise<void> {
    await this.#authorize.invoke({});
    this.#answerKeptUntilMs = this.#stack.scheduler.now() + DEFAULT_STACK_PROPS.authorizerCacheSeconds * 1_000;
  }

  /** The authorizer asks STS, which takes it as long as a call of another service. */
  #start(): Instance {
    const handle = () => this.#stack.scheduler.wait(drawMs(PUBLISHED_LATENCIES.callMs, this.#random));
    return { name: 'authorize', handle, kill: () => {}, freeze: () => {}, thaw: () => {} };
  }
}
