import type { SQSRecord } from 'aws-lambda';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

/** A message as Lambda or SQS delivers it: the part that is read here. */
export type QueuedRecord = Pick<SQSRecord, 'messageId' | 'receiptHandle'>;

/** The messages of one key. */
export type KeyGroup = readonly ReceivedMessage[];

export interface DecodedBatch<Item> {
  readonly fresh: readonly ReceivedMessage[];
  /** Keys that may have killed a function: each is to be tried alone. */
  readonly suspects: readonly KeyGroup[];
  /** Records that hold no key. */
  readonly foreign: readonly Item[];
}

/** From this receive on a key is tried alone: it may be the one that killed the function twice. */
const ALONE_FROM_RECEIVE = 3;

/** Decodes a batch. Messages of one key stay together. A batch of one key has no suspects, because it has nothing to protect. `decode` returns `undefined` for a record that holds no key. Pure. */
export function decodeBatch<Item extends QueuedRecord>(
  records: readonly Item[],
  decode: (record: Item) => ReceivedMessage | undefined,
): DecodedBatch<Item> {
  const groups = new Map<string, ReceivedMessage[]>();
  const foreign: Item[] = [];
  for (const record of records) {
    const message = decode(record);
    if (!message) {
      foreign.push(record);
      continue;
    }
    const key = encodeWorkKey(message.key);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  const isSuspect = (group: KeyGroup) =>
    groups.size > 1 && group.some(({ receiveCount }) => receiveCount >= ALONE_FROM_RECEIVE);
  const all = [...groups.values()];
  return { fresh: all.filter((group) => !isSuspect(group)).flat(), suspects: all.filter(isSuspect), foreign };
}
