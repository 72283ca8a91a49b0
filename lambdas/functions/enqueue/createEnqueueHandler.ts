import { isDeepStrictEqual } from 'node:util';
import type { Controller } from '../../controllers/Controller.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { causeOf } from '../../ports/Causes.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { KeyTrace } from '../../ports/TraceContext.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend, WorkQueue } from '../../ports/WorkQueue.ts';
import { isPaced, type KeyPacer } from './KeyPacer.ts';
import { mergeKeys } from './mergeKeys.ts';

export interface EnqueueDependencies {
  readonly workQueue: Pick<WorkQueue, 'send'>;
  readonly controllers: readonly Controller[];
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Says when a traced change was seen. */
  readonly clock: Pick<Clock, 'now'>;
  /** Absent: every message is sent at once. A queue that merges waiting messages needs none. */
  readonly pacer?: KeyPacer;
  /** Returns the messages that are still needed, and leaves out those whose changes their keys have seen. Absent: all are needed. */
  readonly unseen?: (keys: readonly KeyToSend[]) => Promise<readonly KeyToSend[]>;
  /** True for the keys of changes that come from the stream later: what is not due at once is left to that. */
  readonly isDirect?: boolean;
}

/** Queues the keys that a batch of changes concerns. Resolves to the changes for which this failed: the caller hands them in again. */
export type EnqueueHandler = (changes: readonly Change[]) => Promise<readonly Change[]>;

/**
 * Creates the counterpart of the informers' event handlers: it shows each change to the controllers that watch its resource. Never rejects. If one controller fails on a
 * change, the keys of the others are queued all the same; the change is handed in again only if that may end otherwise.
 */
export function createEnqueueHandler(dependencies: EnqueueDependencies): EnqueueHandler {
  const { workQueue, controllers, log, pacer, unseen, clock, isDirect = false } = dependencies;
  const namesCauses = unseen !== undefined || isDirect;
  const via = isDirect ? 'writer' : 'stream';
  return async (changes) => {
    const news = changes.filter((change) => !isResync(change));
    const asked = await Promise.all(news.map(async (change) => askControllers(controllers, change)));
    const failed = news.filter((change, at) => {
      const { errors, isForGood } = asked[at] ?? NO_KEYS;
      for (const error of errors) log({ level: 'error', msg: 'enqueue', ...placeOf(change), error });
      return errors.length > 0 && !isForGood;
    });
    const seenAtMs = clock.now();
    const caused = asked.flatMap(({ keys }, at) => {
      const traced = tracedBy(news[at], keys, { seenAtMs, via });
      return namesCauses ? causedBy(news[at], traced) : traced;
    });
    const merged = mergeKeys(caused);
    try {
      const needed = unseen ? await unseen(merged) : merged;
      const began = pacer?.now();
      const paced = pacer ? pacer.pace(needed, keysChangedBeyondStatus(news, asked)) : needed;
      const messages = isDirect ? paced.filter(({ delayMs = 0 }) => delayMs <= 0) : paced;
      if (messages.length === 0) return failed;
      await workQueue.send(messages);
      if (began) pacer?.accepted(messages, began);
      return failed;
    } catch (error) {
      log({ level: 'error', msg: 'enqueue', error: String(error) });
      return news;
    }
  };
}

function causedBy(change: Change | undefined, keys: readonly KeyToSend[]): readonly KeyToSend[] {
  if (!change) return keys;
  const causes = new Set([causeOf(change)]);
  return keys.map((send) => ({ ...send, causes }));
}

function tracedBy(
  change: Change | undefined,
  keys: readonly KeyToSend[],
  seen: Pick<KeyTrace, 'seenAtMs' | 'via'>,
): readonly KeyToSend[] {
  if (!change?.trace) return keys;
  const traces = [{ ...change.trace, ...seen, cause: causeOf(change) }];
  return keys.map((send) => ({ ...send, traces }));
}

/** An informer's periodic resync shows as an update to the same version, which Kubernetes' handlers skip. */
function isResync(change: Change): boolean {
  return change.type === 'MODIFIED' && change.before.metadata.resourceVersion === change.after.metadata.resourceVersion;
}

/** Returns the keys, encoded, of the objects of which more than the status changed, as far as the pacer would hold them back. */
function keysChangedBeyondStatus(
  changes: readonly Change[],
  asked: readonly { readonly keys: readonly KeyToSend[] }[],
): ReadonlySet<string> {
  const changed = changes.flatMap((change, at) => {
    const { namespace = '', name } = subjectOf(change).metadata;
    const own = asked[at]?.keys.filter(
      (send) => isPaced(send) && send.key.name === name && send.key.namespace === namespace,
    );
    // Objects are compared only for these few keys, and not for each of many pods.
    if (!own || own.length === 0 || !changesMoreThanStatus(change)) return [];
    return own.map(({ key }) => encodeWorkKey(key));
  });
  return new Set(changed);
}

function changesMoreThanStatus(change: Change): boolean {
  if (change.type !== 'MODIFIED') return true;
  return !isDeepStrictEqual(withoutStatus(change.before), withoutStatus(change.after));
}

function withoutStatus(object: KubernetesObject): object {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  return { ...object, status: undefined, metadata };
}

interface Answer {
  readonly keys: readonly KeyToSend[];
  readonly errors: readonly string[];
  /** True if the errors would come again: a controller that threw before it waited for anything knows only the change. To hand that in again would hold up all later changes of its shard. */
  readonly isForGood: boolean;
}

/** Returns a promise only if a controller does. */
function askControllers(controllers: readonly Controller[], change: Change): Answer | Promise<Answer> {
  const watching = controllers.filter(({ watches }) => watches.includes(change.resource));
  const answers = watching.map((controller) => askController(controller, change));
  return answers.every(isKnown) ? merged(answers) : Promise.all(answers.map(async (answer) => answer)).then(merged);
}

function isKnown(answer: Answer | Promise<Answer>): answer is Answer {
  return !(answer instanceof Promise);
}

function askController(controller: Controller, change: Change): Answer | Promise<Answer> {
  try {
    const keys = controller.keysFor(change);
    return keys instanceof Promise ? keys.then(answerOf, (error) => failureOf(error, false)) : answerOf(keys);
  } catch (error) {
    return failureOf(error, true);
  }
}

function answerOf(keys: readonly KeyToSend[]): Answer {
  return keys.length === 0 ? NO_KEYS : { keys, errors: [], isForGood: true };
}

/** The answer of most controllers to most changes. */
const NO_KEYS: Answer = { keys: [], errors: [], isForGood: true };

function failureOf(error: unknown, isForGood: boolean): Answer {
  return { keys: [], errors: [String(error)], isForGood };
}

function merged(all: readonly Answer[]): Answer {
  const answers = all.filter((answer) => answer !== NO_KEYS);
  const [first = NO_KEYS, ...others] = answers;
  if (others.length === 0) return first;
  return {
    keys: answers.flatMap(({ keys }) => keys),
    errors: answers.flatMap(({ errors }) => errors),
    isForGood: answers.every((answer) => answer.isForGood),
  };
}

function placeOf(change: Change) {
  const { namespace, name } = subjectOf(change).metadata;
  return { resource: change.resource, ...(namespace !== undefined && { namespace }), name };
}
