import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';
import { encodeWorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { Gate } from './Gate.ts';
import type { Sender, SimulatedQueue } from './SimulatedQueue.ts';

/** The queue as one function of a worker reaches it. */
export class GatedWorkQueue implements WorkQueue {
  readonly #queue: SimulatedQueue;
  readonly #gate: Gate;
  readonly #sender: Sender;

  constructor(queue: SimulatedQueue, gate: Gate, sender: Sender) {
    this.#queue = queue;
    this.#gate = gate;
    this.#sender = sender;
  }

  send(keys: readonly KeyToSend[]): Promise<void> {
    const texts = keys.map(({ key, delayMs }) => `${encodeWorkKey(key)}${delayMs ? `+${delayMs}` : ''}`);
    return this.#gate.call(`send ${texts.join(' ')}`, async () => this.#queue.send(keys, this.#sender));
  }

  hide(message: ReceivedMessage, delayMs: number): Promise<'hidden' | 'gone'> {
    const what = `hide ${encodeWorkKey(message.key)} for ${delayMs} ms`;
    return this.#gate.call(what, async () => this.#queue.hide(message, delayMs));
  }

  bury(message: ReceivedMessage): Promise<void> {
    return this.#gate.call(`bury ${encodeWorkKey(message.key)}`, async () => this.#queue.bury(message));
  }
}
