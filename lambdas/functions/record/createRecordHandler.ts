import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Change, ReadVersion, VersionsByResource } from '../../ports/ChangeLog.ts';

/** A record of the objects table's stream, with the parts that this function reads itself. */
export interface RecordedItem {
  readonly dynamodb?: { readonly SequenceNumber?: string | undefined } | undefined;
}

/** The contents of a record, see the adapter's `decodeStreamRecord`. */
export type Recorded =
  /** `jsonLength`: how long both objects are as JSON, in characters. */
  | { readonly status: 'change'; readonly change: Change; readonly jsonLength: number }
  | { readonly status: 'none' }
  | { readonly status: 'unreadable'; readonly resource: GroupResource | undefined; readonly why: string };

/** Appends changes to the change log, each exactly once even if it is given several times; see the adapter's `ChangeLogAppender`. */
export interface Appender {
  append(resource: GroupResource, changes: readonly Change[]): Promise<void>;
  startEpoch(resource: GroupResource, passedOver?: readonly ReadVersion[]): Promise<void>;
}

export interface RecordDependencies<Item extends RecordedItem> {
  readonly decode: (record: Item) => Recorded;
  readonly appender: Appender;
  /** All stored resources. A record that does not name its resource affects all their logs. */
  readonly resources: readonly GroupResource[];
  /**
   * Queues every key, since changes of the resource may have been missed. It is called before the resource's log begins anew, so that after a failure between
   * the two both are repeated.
   */
  readonly queueEveryKey: (resource: GroupResource) => Promise<void>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** The outcome in the log line of a log that begins anew, which the stack's alarm counts. */
export const NEW_EPOCH = 'newEpoch';

/** The answer for a stream batch. Lambda delivers the batch again, starting from the first record named. */
export interface BatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/**
 * Changes are worked on in pieces of about this many characters of JSON, which take three to five times as much memory: objects that compress well can be a thousand times larger than their records. A piece is a
 * segment of the log, so its readers have no more in memory either.
 */
export const MAX_PIECE_LENGTH = 16_000_000;

type Shares = ReadonlyMap<GroupResource, Share>;

interface Share {
  readonly changes: Change[];
  /** The sequence number of this resource's first record in the batch. */
  readonly firstSequence: string;
  unreadable: boolean;
}

/**
 * Creates the handler that appends a batch of the stream's records to the change logs of their resources. If a log cannot be written, it reports the first
 * record of that resource, so that Lambda delivers the batch again from there. Changes that are logged already are then skipped.
 */
export function createRecordHandler<Item extends RecordedItem>(dependencies: RecordDependencies<Item>) {
  return async ({ Records }: { readonly Records: readonly Item[] }): Promise<BatchResponse> => {
    for (const shares of pieces(dependencies, Records)) {
      const failed = await recordPiece(dependencies, shares);
      // Lambda retries from the lowest number. The batch is sorted, so its first failed record has it, and numbers of 40 digits need no comparing.
      const first = Records.map(sequenceOf).find((sequence) => failed.has(sequence));
      // A later piece may have newer changes of the same objects, so it must wait.
      if (first !== undefined) return { batchItemFailures: [{ itemIdentifier: first }] };
    }
    return { batchItemFailures: [] };
  };
}

/** Returns the sequence numbers of the first records of the resources whose logs cannot be written. */
async function recordPiece<Item extends RecordedItem>(
  dependencies: RecordDependencies<Item>,
  shares: Shares,
): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  await Promise.all(
    [...shares].map(async ([resource, share]) => {
      try {
        await record(dependencies, resource, share);
      } catch (error) {
        dependencies.log({ level: 'error', msg: 'record', resource, error: String(error) });
        failed.add(share.firstSequence);
      }
    }),
  );
  return failed;
}

/**
 * Returns the handler for records that were given up after all their retries: the logs of their resources, or every log, begin anew, and these changes are logged no more. Resolves to those of the resources whose
 * logs could not. Throws if none could.
 */
export function createGivenUpHandler({
  appender,
  resources: all,
  log,
}: Pick<RecordDependencies<RecordedItem>, 'appender' | 'resources' | 'log'>) {
  const noVersions = Object.fromEntries(all.map((resource) => [resource, []]));
  return async (changes: VersionsByResource = noVersions): Promise<VersionsByResource> => {
    const failed: Record<GroupResource, readonly ReadVersion[]> = {};
    const errors: unknown[] = [];
    const resources = Object.entries(changes);
    for (const [resource, versions] of resources) {
      log({ level: 'error', msg: 'record', resource, outcome: NEW_EPOCH });
      await appender.startEpoch(resource, versions).catch((error: unknown) => {
        failed[resource] = versions;
        errors.push(error);
      });
    }
    if (errors.length > 0 && errors.length === resources.length) throw errors[0];
    return failed;
  };
}

async function record<Item extends RecordedItem>(
  dependencies: RecordDependencies<Item>,
  resource: GroupResource,
  { changes, unreadable }: Share,
): Promise<void> {
  if (changes.length > 0) await dependencies.appender.append(resource, changes);
  if (unreadable) await startNewEpoch(dependencies, resource);
}

/** Begins a new epoch of a resource's log, so that its watchers list again, and queues every key. */
async function startNewEpoch(
  { appender, queueEveryKey, log }: Pick<RecordDependencies<RecordedItem>, 'appender' | 'queueEveryKey' | 'log'>,
  resource: GroupResource,
): Promise<void> {
  log({ level: 'error', msg: 'record', resource, outcome: NEW_EPOCH });
  await queueEveryKey(resource);
  await appender.startEpoch(resource);
}

/** Yields the resources' shares of the batch, in pieces. A record is decoded only when the pieces before it were taken. */
function* pieces<Item extends RecordedItem>(
  { decode, resources, log }: RecordDependencies<Item>,
  records: readonly Item[],
): Generator<Shares> {
  let shares = new Map<GroupResource, Share>();
  let length = 0;
  const shareOf = (resource: GroupResource, item: Item) => {
    const share = shares.get(resource) ?? { changes: [], firstSequence: sequenceOf(item), unreadable: false };
    shares.set(resource, share);
    return share;
  };
  for (const item of records) {
    const recorded = decode(item);
    if (recorded.status === 'change') {
      shareOf(recorded.change.resource, item).changes.push(recorded.change);
      length += recorded.jsonLength;
      if (length < MAX_PIECE_LENGTH) continue;
      yield shares;
      [shares, length] = [new Map(), 0];
    }
    if (recorded.status !== 'unreadable') continue;
    log({ level: 'error', msg: 'record', resource: recorded.resource, error: recorded.why });
    for (const resource of recorded.resource === undefined ? resources : [recorded.resource]) {
      shareOf(resource, item).unreadable = true;
    }
  }
  yield shares;
}

function sequenceOf(item: RecordedItem): string {
  return item.dynamodb?.SequenceNumber ?? '';
}
