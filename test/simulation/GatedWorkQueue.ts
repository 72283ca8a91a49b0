import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';
import { encodeWorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { Gate } from './Gate.ts';
import type { SimulatedQueue } from './SimulatedQueue.ts';

/** The queue as one worker reaches it. */
export class GatedWorkQueue implements WorkQueue {
  readonly #queue: SimulatedQueue;
  readonly #gate: Gate;

  constructor(queue: SimulatedQueue, gate: Gate) {
    this.#queue = queue;
    this.#gate = gate;
  }

  send(keys: readonly KeyToSend[]): Promise<void> {
    const texts = keys.map(({ key, delayMs }) => `${encodeWorkKey(key)}${delayMs ? `+${delayMs}` : ''}`);
    return this.#gate.call(`send ${texts.join(' ')}`, async () => this.#queue.send(keys));
  }

  hide(message: ReceivedMessage, delayMs: number): Promise<void> {
    const what = `hide ${encodeWorkKey(message.key)} for ${delayMs} ms`;
    return this.#gate.call(what, async () => this.#queue.hide(message, delayMs));
  }

  bury(message: ReceivedMessage): Promise<void> {
    return this.#gate.call(`bury ${encodeWorkKey(message.key)}`, async () => this.#queue.bury(message));
  }
}
