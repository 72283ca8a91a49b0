import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change } from '../../ports/ChangeLog.ts';

/** A record of the objects table's stream, as far as this function looks at it itself. */
export interface RecordedItem {
  readonly dynamodb?: { readonly SequenceNumber?: string | undefined } | undefined;
}

/** What a record says, see the adapter's `decodeStreamRecord`. */
export type Recorded =
  | { readonly status: 'change'; readonly change: Change }
  | { readonly status: 'none' }
  | { readonly status: 'unreadable'; readonly resource: GroupResource | undefined; readonly why: string };

/** Appends to the change log, each change once however often it comes; see the adapter's `ChangeLogAppender`. */
export interface Appender {
  append(
    resource: GroupResource,
    changes: readonly Change[],
  ): Promise<{ readonly status: 'appended' } | { readonly status: 'outOfOrder'; readonly versions: readonly number[] }>;
  startEpoch(resource: GroupResource, versions?: readonly number[]): Promise<void>;
}

export interface RecordDependencies<Item extends RecordedItem> {
  readonly decode: (record: Item) => Recorded;
  readonly appender: Appender;
  /** All resources that are served: whose log is affected by a record that says nothing about its resource. */
  readonly resources: readonly GroupResource[];
  /**
   * A log is to begin anew, as changes of that resource may have gone unseen: every key is to be queued. It is called before the log begins anew, so that a
   * failure in between leads to both once more.
   */
  readonly queueEveryKey: (resource: GroupResource) => Promise<void>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** Lambda's answer for a stream batch: what is to be handed in again, from the first of them on. */
export interface BatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

interface Share {
  readonly changes: Change[];
  /** Where this resource's share of the batch begins. */
  readonly firstSequence: string;
  unreadable: boolean;
}

/**
 * Appends a batch of the stream's records to the change logs of their resources. Resources whose log cannot be written are reported, and handed in
 * again; what was appended already is skipped then.
 */
export function createRecordHandler<Item extends RecordedItem>(dependencies: RecordDependencies<Item>) {
  return async ({ Records }: { readonly Records: readonly Item[] }): Promise<BatchResponse> => {
    const shares = sharesOf(dependencies, Records);
    const failures = await Promise.all(
      [...shares].map(async ([resource, share]) => {
        try {
          await record(dependencies, resource, share);
          return undefined;
        } catch (error) {
          dependencies.log({ level: 'error', msg: 'record', resource, error: String(error) });
          return share.firstSequence;
        }
      }),
    );
    const failed = new Set(failures);
    // The service reads the lowest of the numbers; the first in the batch is the lowest, without comparing numbers of 40 digits.
    const first = Records.map(sequenceOf).find((sequence) => failed.has(sequence));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
  };
}

/**
 * Returns the handler for records that were given up after all their retries. The notice names their place in the stream, but not their contents: so the
 * log of every resource begins anew, and every key is queued. Throws if that fails for any resource; the notice must be handed in again then.
 */
export function createGivenUpHandler(
  dependencies: Pick<RecordDependencies<RecordedItem>, 'appender' | 'resources' | 'queueEveryKey' | 'log'>,
) {
  return async (): Promise<void> => {
    for (const resource of dependencies.resources) await beginAnew(dependencies, resource, []);
  };
}

async function record<Item extends RecordedItem>(
  dependencies: RecordDependencies<Item>,
  resource: GroupResource,
  { changes, unreadable }: Share,
): Promise<void> {
  const outcome = changes.length > 0 ? await dependencies.appender.append(resource, changes) : undefined;
  const outOfOrder = outcome?.status === 'outOfOrder' ? outcome.versions : [];
  if (outOfOrder.length > 0 || unreadable) await beginAnew(dependencies, resource, outOfOrder);
}

/** Ends the epoch of a resource's log: its watchers list again, and every key is looked at. */
async function beginAnew(
  { appender, queueEveryKey, log }: Pick<RecordDependencies<RecordedItem>, 'appender' | 'queueEveryKey' | 'log'>,
  resource: GroupResource,
  versions: readonly number[],
): Promise<void> {
  log({ level: 'warn', msg: 'record', resource, outcome: 'newEpoch', versions });
  await queueEveryKey(resource);
  await appender.startEpoch(resource, versions);
}

function sharesOf<Item extends RecordedItem>(
  { decode, resources, log }: RecordDependencies<Item>,
  records: readonly Item[],
): ReadonlyMap<GroupResource, Share> {
  const shares = new Map<GroupResource, Share>();
  const shareOf = (resource: GroupResource, item: Item) => {
    const share = shares.get(resource) ?? { changes: [], firstSequence: sequenceOf(item), unreadable: false };
    shares.set(resource, share);
    return share;
  };
  for (const item of records) {
    const recorded = decode(item);
    if (recorded.status === 'change') shareOf(recorded.change.resource, item).changes.push(recorded.change);
    if (recorded.status !== 'unreadable') continue;
    log({ level: 'error', msg: 'record', resource: recorded.resource, error: recorded.why });
    for (const resource of recorded.resource === undefined ? resources : [recorded.resource]) {
      shareOf(resource, item).unreadable = true;
    }
  }
  return shares;
}

function sequenceOf(item: RecordedItem): string {
  return item.dynamodb?.SequenceNumber ?? '';
}
