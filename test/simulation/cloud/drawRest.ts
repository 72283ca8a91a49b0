import type { StreamReader } from '../../model/cloud/CloudModel.ts';
import type { ClientOp, Script, TimedOp } from '../ClientOp.ts';
import type { Random } from '../Random.ts';

type Creation = Extract<ClientOp, { readonly op: 'create' }>;

/** What comes after the script, once nothing is left to do: hours or days in which nobody does anything, and then users again. */
export interface Rest {
  /** Pieces of at most a day, in hours. After each the daily resync comes. */
  readonly hours: readonly number[];
  /** The function whose trigger reads nothing of the stream meanwhile, and what users do just after that has begun. `isSilent`: the schedule of heartbeats is switched off, too. */
  readonly unread?: { readonly by: StreamReader; readonly ops: readonly TimedOp[]; readonly isSilent: boolean };
  /** What users do afterwards. */
  readonly ops: readonly TimedOp[];
  /** When the faults that begin with these stop again. */
  readonly endMs: number;
}

/**
 * Events expire after an hour, keys and the log's positions after a day, dead names too, the log's bitmaps and segments after two and three. The time to live deletes each of them minutes to two days later. The
 * stream keeps its records for a day.
 */
const HOURS = [[2], [5], [23], [25], [24, 3], [24, 24, 24, 5], [24, 24, 24, 24, 24, 24]] as const;
const IMAGES = ['app:1', 'app:2', 'app:3', 'app:4'] as const;

/** Draws a rest for one run in four. Its actions commute if the script's do. */
export function drawRest(random: Random, { ops }: Pick<Script, 'ops'>): Rest | undefined {
  if (!random.chance(0.25)) return undefined;
  const creations = lastCreations(ops);
  const isUnread = random.chance(0.35);
  const hours = random.pick(isUnread ? HOURS.slice(3) : HOURS);
  const by = random.pick(['record', 'enqueue'] as const);
  const missed = isUnread ? drawOps(random, creations, ops, 1) : [];
  // After a workload was created again it is there.
  const later = drawOps(random, creations, [...ops, ...missed], 2);
  const endMs = (later.at(-1)?.atMs ?? 0) + random.integer(0, 10_000);
  const isSilent = random.chance(0.25);
  return { hours, ops: later, endMs, ...(isUnread && { unread: { by, ops: missed, isSilent } }) };
}

function lastCreations(ops: readonly TimedOp[]): readonly Creation[] {
  const creations = ops.flatMap(({ op }) => (op.op === 'create' ? [op] : []));
  return [...new Map(creations.map((op) => [`${op.target.namespace}/${op.target.name}`, op])).values()];
}

/** Up to so many actions for each workload. A workload that was deleted is created again. */
function drawOps(
  random: Random,
  creations: readonly Creation[],
  before: readonly TimedOp[],
  most: number,
): readonly TimedOp[] {
  const ops = creations.flatMap((creation) => {
    const isThere = isLeftBehind(creation, before);
    const count = random.integer(1, most);
    return Array.from({ length: count }, (_, at) => ({
      atMs: random.integer(at * 15_000, (at + 1) * 15_000 - 1),
      op: isThere || at > 0 ? drawChange(random, creation) : { ...creation, replicas: random.integer(0, 6) },
    }));
  });
  return ops.sort((a, b) => a.atMs - b.atMs);
}

function isLeftBehind({ target }: Creation, ops: readonly TimedOp[]): boolean {
  const last = ops.findLast(
    ({ op }) => op.target.name === target.name && op.target.namespace === target.namespace && isOfLife(op),
  );
  return last?.op.op === 'create';
}

function isOfLife({ op }: ClientOp): boolean {
  return op === 'create' || op === 'delete';
}

function drawChange(random: Random, { target }: Creation): ClientOp {
  const changes: (() => ClientOp)[] = [
    () => ({ op: 'scale', target, replicas: random.integer(0, 7) }),
    () => ({ op: 'deletePod', target, pick: random.fraction() }),
  ];
  if (target.resource === 'deployments.apps') changes.push(() => ({ op: 'image', target, image: random.pick(IMAGES) }));
  return random.pick(changes)();
}
