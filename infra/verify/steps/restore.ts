import { PRICES } from '../../emulation/bill/prices.ts';
import { cloudOf, type Place, unlessInCloud } from '../Place.ts';
import { poll } from '../RunClock.ts';
import { copyName, type StackReads, type StoredItem } from '../StackAccount.ts';
import { differs, failed, ok, type Step, type Verdict } from '../Step.ts';
import { OBJECTS_TABLE_ID } from './tables.ts';

export interface RestoreFacts {
  /** What could not be done: a clause. The other facts say nothing then. */
  readonly problem?: string;
  readonly inTable: number;
  readonly inCopy: number;
  readonly equal: number;
  /** Items that were written, created or deleted since the moment of the copy. */
  readonly writtenSince: number;
  /** Items that the copy lacks, though it has newer ones of the same resource. Only such as were written in the same second may. */
  readonly missing: number;
  /** Items of the same version with other contents, or of which the copy is ahead. */
  readonly wrong: number;
  /** Objects of this run that are not equal in both. They were not touched after the moment of the copy. */
  readonly ownMissing: number;
  readonly seconds: number;
  /** About what it cost. */
  readonly dollars: number;
}

type Comparison = Omit<RestoreFacts, 'problem' | 'seconds' | 'dollars'>;

const OWN_OBJECTS = 10;
/** The newest moment that can be restored is about five minutes ago: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html */
const UNTIL_RESTORABLE = { everyMs: 15_000, patienceMs: 20 * 60_000 };
const UNTIL_ACTIVE = { everyMs: 15_000, patienceMs: 60 * 60_000 };
/** A copy cannot be deleted while it is being restored. After an interruption somebody waits, but not for long. */
const UNTIL_DELETABLE = { everyMs: 15_000, patienceMs: 30 * 60_000 };
const GB = 1024 ** 3;

/** Restores the table of the objects to a copy, compares the two, and deletes the copy. The stack's own tables are only read. */
export const restore: Step<RestoreFacts> = {
  id: 'restore',
  expects:
    'A copy of the table of objects, restored to a moment some minutes ago, has the same objects as the table, but for those that were written since.',
  optIn: {
    kind: 'costs',
    why: `DynamoDB bills the restored table by its size, $${PRICES.dynamoDbRestoredGb} a GB, and two reads of all of it; it takes ten minutes to an hour`,
  },
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) =>
      stack.physicalIds[OBJECTS_TABLE_ID] === undefined
        ? 'the stack uses a table that was restored, and has none of its own'
        : undefined,
    ),
  observe: observeRestore,
  judge: judgeRestore,
};

async function observeRestore(place: Place): Promise<RestoreFacts> {
  const { account, stack } = cloudOf(place);
  const { reads, changes } = account;
  const { clock, cleanups, runId } = place;
  const source = stack.physicalIds[OBJECTS_TABLE_ID] ?? '';
  const table = await reads.table(source);
  if (!table?.recovery) return problem('point-in-time recovery is off (`pointInTimeRecoveryDays`)');
  const writtenMs = await makeObjects(place);
  const restorableMs = await poll(clock, UNTIL_RESTORABLE, async () => {
    const latestMs = (await reads.table(source))?.recovery?.latestMs ?? 0;
    return latestMs > writtenMs ? latestMs : undefined;
  });
  if (restorableMs === undefined) return problem('after 20 minutes the table cannot be restored to what it was then');
  const copy = copyName(runId);
  const beganMs = clock.now();
  cleanups.add(`aws dynamodb delete-table --table-name ${copy}`, () => deleteCopy(place, copy));
  await changes.restoreTable(source, copy, restorableMs);
  const isActive = async () => ((await reads.table(copy))?.status === 'ACTIVE' ? true : undefined);
  if (!(await poll(clock, UNTIL_ACTIVE, isActive))) return problem('the copy is not active after an hour');
  const seconds = Math.round((clock.now() - beganMs) / 1000);
  return { ...(await compare(reads, source, copy, place.namespace)), seconds, dollars: restoreDollars(table.bytes) };
}

/** Resolves to the time after which all are there, by the server's clock: that of this machine may be another. */
async function makeObjects({ api, namespace, clock }: Place): Promise<number> {
  let lastMs = 0;
  for (let at = 0; at < OWN_OBJECTS; at += 1) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `restored-${at}` }, data: { at: `${at}` } };
    const { metadata } = await api.post(`/api/v1/namespaces/${namespace}/configmaps`, object);
    lastMs = Date.parse(metadata.creationTimestamp ?? '') || clock.now();
  }
  // A timestamp is of a whole second, which may not be over.
  return lastMs + 2_000;
}

/** Also after an interruption, so it waits by a clock of its own. */
async function deleteCopy(place: Place, copy: string): Promise<void> {
  const { reads, changes } = cloudOf(place).account;
  const clock = place.clock.beyondInterruption();
  const isDeletable = async () => {
    const status = (await reads.table(copy))?.status;
    return status === 'CREATING' ? undefined : (status ?? 'absent');
  };
  const status = await poll(clock, UNTIL_DELETABLE, isDeletable);
  if (status === undefined) throw new Error('it is still being restored');
  if (status !== 'absent') await changes.deleteCopy(copy);
}

function problem(text: string): RestoreFacts {
  return {
    problem: text,
    inTable: 0,
    inCopy: 0,
    equal: 0,
    writtenSince: 0,
    missing: 0,
    wrong: 0,
    ownMissing: 0,
    seconds: 0,
    dollars: 0,
  };
}

async function compare(reads: StackReads, source: string, copy: string, namespace: string): Promise<Comparison> {
  const restored = await itemsOf(reads, copy);
  const stored = await itemsOf(reads, source);
  return compareItems(stored, restored, (key) => isOwn(key, namespace));
}

async function itemsOf(reads: StackReads, table: string): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  for await (const item of reads.items(table)) items.set(item.key, item);
  return items;
}

function isOwn(key: string, namespace: string): boolean {
  return key.startsWith(`configmaps#${namespace}/restored-`);
}

/** The table goes on being written while the copy is made, so only what both have at the same version must be equal, and what `isOwn` names, of which nothing was written since. Pure. */
export function compareItems(
  stored: ReadonlyMap<string, StoredItem>,
  restored: ReadonlyMap<string, StoredItem>,
  isOwnKey: (key: string) => boolean,
): Comparison {
  const newest = newestVersions(restored);
  let [equal, writtenSince, missing, wrong, ownMissing] = [0, 0, 0, 0, 0];
  for (const key of new Set([...stored.keys(), ...restored.keys()])) {
    const [now, then] = [stored.get(key), restored.get(key)];
    const isEqual = now !== undefined && now.digest === then?.digest;
    if (isEqual) equal += 1;
    else if (now && !then && isOld(now, newest)) missing += 1;
    else if (isNewer(now, then)) writtenSince += 1;
    else wrong += 1;
    if (isOwnKey(key) && !isEqual) ownMissing += 1;
  }
  const ownFound = [...stored.keys()].filter(isOwnKey).length;
  ownMissing += Math.max(0, OWN_OBJECTS - ownFound);
  return { inTable: stored.size, inCopy: restored.size, equal, writtenSince, missing, wrong, ownMissing };
}

/** The newest version of each resource. Pure. */
function newestVersions(items: ReadonlyMap<string, StoredItem>): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { key, version } of items.values()) {
    const resource = resourceOf(key);
    newest.set(resource, Math.max(version, newest.get(resource) ?? 0));
  }
  return newest;
}

/** Each write of a resource has a higher version than those before it. */
function isOld({ key, version }: StoredItem, newest: ReadonlyMap<string, number>): boolean {
  return version !== 0 && version <= (newest.get(resourceOf(key)) ?? 0);
}

/** A partition is `resource#namespace`. */
function resourceOf(key: string): string {
  return key.split('#', 1)[0] ?? '';
}

/** An item without a version is no object: the heartbeat's, which is written every few minutes. */
function isNewer(now: StoredItem | undefined, then: StoredItem | undefined): boolean {
  if (!now || !then) return true;
  return now.version > then.version || now.version === 0;
}

export function judgeRestore(facts: RestoreFacts): Verdict {
  if (facts.problem !== undefined) return failed(`Not restored: ${facts.problem}.`);
  const { inTable, inCopy, equal, writtenSince, missing, wrong, ownMissing, seconds, dollars } = facts;
  const found = `The copy was there after ${seconds} s and has ${inCopy} items, the table ${inTable}: ${equal} are equal, and ${writtenSince} were written since`;
  if (ownMissing > 0)
    return failed(`${found}. ${ownMissing} of the ${OWN_OBJECTS} objects of this run are not the same in both.`);
  if (wrong > 0) return failed(`${found}. ${wrong} differ at the same version.`);
  if (missing > 0) return differs(`${found}. ${missing} are missing that are older than others in the copy.`);
  return ok(`${found}. It cost about $${dollars.toFixed(4)}.`);
}

/** What a restore of a table of this size costs: itself, and a strongly consistent read of both; dollars. Pure. */
export function restoreDollars(bytes: number): number {
  const units = (2 * bytes) / 4096;
  return (bytes / GB) * PRICES.dynamoDbRestoredGb + units * PRICES.dynamoDbReadUnit;
}
