import { encodeQueueMessage } from '../../../lambdas/adapters/aws/queue/queueMessage.ts';
import type { KeyItem } from '../../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, parseWorkKey, type WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { KeyToSend } from '../../../lambdas/ports/WorkQueue.ts';
import type { QueueModel, QueuedMessage } from '../../model/sqs/QueueModel.ts';

/** The work queue and its dead letters, as keys. */
export class CloudQueue {
  readonly #work: QueueModel;
  readonly #deadLetters: QueueModel;
  readonly #encoded = new Map<string, string>();

  constructor(work: QueueModel, deadLetters: QueueModel) {
    this.#work = work;
    this.#deadLetters = deadLetters;
  }

  /** `onDelete` is called with the key of each message that is deleted while no other message of the key is left, and with when it was due. */
  observe(onDelete: (key: string, dueAtMs: number) => void): void {
    this.#work.onDelete = (message) => {
      const key = this.#keyOf(message);
      const [first, other] = this.messagesOf(key);
      if (first && !other) onDelete(key, first.dueAtMs);
    };
  }

  /** A key's lock was released. If its sync went well, the wake-up that is stored with the key must stand in for the messages that were sent before. */
  onRelease(key: WorkKey, { failures }: Pick<KeyItem, 'failures'>): void {
    const encoded = encodeWorkKey(key);
    const sent = [...this.#work.messages()].filter((one) => one.isForgettable && this.#keyOf(one) === encoded);
    this.#work.settle(sent, failures === 0);
  }

  get size(): number {
    return this.#work.size;
  }

  get keys(): readonly string[] {
    return [...this.#work.messages()].map((message) => this.#keyOf(message));
  }

  messagesOf(encoded: string): readonly { readonly dueAtMs: number; readonly visibleAtMs: number }[] {
    return [...this.#work.messages()]
      .filter((message) => this.#keyOf(message) === encoded)
      .map(({ sentAtMs, delaySeconds, visibleAtMs }) => ({ dueAtMs: sentAtMs + delaySeconds * 1000, visibleAtMs }));
  }

  keysVisibleBy(atMs: number): readonly string[] {
    const visible = [...this.#work.messages()].filter(({ visibleAtMs }) => visibleAtMs <= atMs);
    return visible.map((message) => this.#keyOf(message));
  }

  send(keys: readonly KeyToSend[]): void {
    for (const key of keys) {
      const { MessageBody = '', DelaySeconds = 0, MessageAttributes = {} } = encodeQueueMessage(key);
      this.#work.send({ body: MessageBody, delaySeconds: DelaySeconds, attributes: MessageAttributes });
    }
  }

  /** Takes all keys out of the dead letters. */
  takeDeadLetters(): readonly WorkKey[] {
    const keys = [...this.#deadLetters.messages()].flatMap((message) => parseWorkKey(this.#keyOf(message)) ?? []);
    this.#deadLetters.clear();
    return keys;
  }

  #keyOf({ body }: QueuedMessage): string {
    const known = this.#encoded.get(body);
    if (known !== undefined) return known;
    const encoded = encodeWorkKey(JSON.parse(body) as WorkKey);
    this.#encoded.set(body, encoded);
    return encoded;
  }
}
