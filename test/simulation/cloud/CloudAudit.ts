import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decodeStreamRecord } from '../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import { decodeContents } from '../../../lambdas/adapters/aws/keys/IntentItems.ts';
import { decodeKeyItem } from '../../../lambdas/adapters/aws/keys/keyItem.ts';
import { type Change, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import { decodeIntent, type StoredIntent } from '../../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, parseWorkKey, type WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { LockObserver } from '../AuditedKeyLocks.ts';
import type { AuditedWrite, Writer } from '../AuditedStore.ts';
import { currentTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import { currentRequest, currentWriter } from './RequestContext.ts';

type Item = Readonly<Record<string, AttributeValue>>;

/** An item that was written a moment ago. */
export interface ItemWrite {
  readonly keys: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** True if the time to live deleted it. */
  readonly isExpiry: boolean;
}

/** One write of an object. `endsMs`: when what it wrote ends by itself, by the clock of its writer; absent if it does not. */
export interface CloudWrite extends AuditedWrite {
  readonly endsMs?: number;
}

const TIME_TO_LIVE = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

/** The true time, and how wrong the functions' clocks are. */
export interface AuditTime {
  readonly now: () => number;
  readonly rates: () => { readonly skewMs: number; readonly wrongClock: number };
}

/** What must not be forgotten of a key. */
const LASTING = ['holder', 'intent', 'intentAt', 'wakeAt'] as const;

/** Sees every item at the instant at which it is written, and reports it as what it means: a change of an object with its writer, or of a key's lock. */
export class CloudAudit {
  readonly #world: World;
  readonly #time: AuditTime;
  readonly #locks: LockObserver;
  readonly #onWrite: (write: CloudWrite) => void;
  readonly #onFailure: (failure: string) => void;
  /** Every key that was ever locked. */
  readonly seenKeys = new Set<string>();
  /** The keys that have a time at which they are to be looked at. */
  readonly wakingKeys = new Set<string>();
  /** The intents that have items of their own, as JSON, by the keys of these items. */
  readonly #longIntents = new Map<string, string>();
  #order = 0;

  constructor(
    world: World,
    time: AuditTime,
    locks: LockObserver,
    onWrite: (write: CloudWrite) => void,
    onFailure: (failure: string) => void,
  ) {
    this.#world = world;
    this.#time = time;
    this.#locks = locks;
    this.#onWrite = onWrite;
    this.#onFailure = onFailure;
  }

  /** The place of what happens now among all writes. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  onObjectItem({ keys, before, after, isExpiry }: ItemWrite): void {
    const decoded = decodeStreamRecord({
      ...(isExpiry && { userIdentity: TIME_TO_LIVE }),
      dynamodb: { Keys: keys, OldImage: before, NewImage: after },
    });
    if (decoded.status === 'unreadable') this.#onFailure(`an item was written that cannot be read: ${decoded.why}`);
    if (decoded.status !== 'change') return;
    const { resource, version, after: stored } = decoded.change;
    const { namespace = '', name } = subjectOf(decoded.change).metadata;
    const present = this.#world.get(resource, namespace, name);
    const change = changeBetween(resource, version, present, stored);
    if (!change) return;
    this.#judgeRemoval(change, isExpiry);
    this.#world.apply(change);
    const writer = isExpiry ? NOBODY : writerAtWork();
    const expiresAt = change.after && after?.['expiresAt']?.N;
    const endsMs = expiresAt === undefined ? {} : { endsMs: Number(expiresAt) * 1_000 };
    this.#onWrite({ writer: writer.by, trail: writer.trail, change, order: this.nextOrder(), ...endsMs });
  }

  /** What is removed on the condition that it has not changed has not changed. */
  #judgeRemoval({ type, before }: Change, isExpiry: boolean): void {
    const wanted = type === 'DELETED' && !isExpiry ? currentRequest.getStore()?.removes : undefined;
    const is = before?.metadata.resourceVersion;
    if (wanted !== undefined && wanted !== is && before)
      this.#onFailure(`${nameOf(before)} was to be removed at version ${wanted}, and is removed at ${is}`);
  }

  onKeyItem({ keys, before, after, isExpiry }: ItemWrite): void {
    const encoded = keys['key']?.S ?? '';
    const contents = after && decodeContents(after);
    if (contents !== undefined) this.#longIntents.set(encoded, contents);
    if (encoded.includes('#')) return;
    if (isExpiry && LASTING.some((attribute) => before?.[attribute]))
      this.#onFailure(`the time to live has deleted what is left to do for ${encoded}`);
    const key = parseWorkKey(encoded);
    if (!key) return this.#onFailure(`an item of locks has no key: ${encoded}`);
    this.seenKeys.add(encoded);
    if (after?.['wakeAt']) this.wakingKeys.add(encoded);
    else this.wakingKeys.delete(encoded);
    this.#reportLock(key, before, after);
    const intent = this.#intentOf(encoded, after);
    if (intent === undefined || intent === this.#intentOf(encoded, before)) return;
    this.#locks.onIntent(currentTrail.getStore(), decodeIntent(JSON.parse(intent) as StoredIntent));
  }

  #intentOf(encoded: string, row: Item | undefined): string | undefined {
    const id = row?.['intentAt']?.S;
    return id === undefined ? row?.['intent']?.S : this.#longIntents.get(`${encoded}#${id}`);
  }

  #reportLock(key: WorkKey, before: Item | undefined, after: Item | undefined): void {
    const [was, is] = [before?.['holder']?.S, after?.['holder']?.S];
    if (was === is) return;
    if (was !== undefined && is !== undefined) this.#judgeTaking(key, Number(before?.['heldUntil']?.N));
    if (is !== undefined) this.#locks.onAcquire(key);
    else if (after) this.#locks.onRelease(key, decodeKeyItem(after));
  }

  /** A lock is taken from its holder only when it has ended, as far as clocks can tell: the holder's and the taker's may both be off. */
  #judgeTaking(key: WorkKey, heldUntilMs: number): void {
    const { now, rates } = this.#time;
    const { skewMs, wrongClock } = rates();
    const leftMs = heldUntilMs - now();
    if (wrongClock === 0 && leftMs > 2 * skewMs)
      this.#onFailure(`the lock of ${encodeWorkKey(key)} is taken ${leftMs} ms before it ends`);
  }
}

/** Who deletes by the time to live: nobody whose request is under way. */
const NOBODY: Writer = { by: 'cloud', trail: undefined };

function writerAtWork(): Writer {
  const trail = currentTrail.getStore();
  return currentWriter.getStore() ?? { by: trail?.key.controller ?? 'cloud', trail };
}

function changeBetween(
  resource: string,
  version: number,
  before: Change['before'],
  after: Change['after'],
): Change | undefined {
  if (before && after) return { type: 'MODIFIED', resource, version, before, after };
  if (after) return { type: 'ADDED', resource, version, after };
  return before && { type: 'DELETED', resource, version, before };
}
