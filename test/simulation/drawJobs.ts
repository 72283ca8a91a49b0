import type { ClientOp, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one runs Jobs, too. */
const SEEDS_WITHOUT = 6;
const WORK: Target = { resource: 'jobs.batch', namespace: 'a', name: 'work', app: 'work' };

/** A Job and what users do to it. */
export const JOBS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS_WITHOUT === 0,
  draw: (seed) => {
    const random = new Random(seed).fork();
    const ops = drawJobOps(random);
    const lastMs = ops.at(-1)?.atMs ?? 0;
    return { ops, endMs: lastMs + random.integer(0, 20_000) };
  },
  controllers: ['job'],
  resources: ['jobs.batch'],
};

/** A Job that is created, disturbed a few times, perhaps created anew, and left to its end. */
function drawJobOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.chance(0.5) ? random.integer(1, 1_500) : random.integer(1_500, 30_000);
  };
  then(drawJob(random));
  for (let left = random.integer(0, 5); left > 0; left--) {
    const op = drawDisturbance(random);
    then(op);
    if (op.op === 'delete') then(drawJob(random));
  }
  then({ op: 'suspend', target: WORK, suspended: false });
  // A Job that may run no pods does not end.
  const last = ops.findLast(({ op }) => op.op === 'parallelism' || op.op === 'createJob')?.op;
  if (last?.op === 'parallelism' && last.parallelism === 0) then({ op: 'parallelism', target: WORK, parallelism: 2 });
  return ops;
}

function drawJob(random: Random): ClientOp {
  const isIndexed = random.chance(0.5);
  return {
    op: 'createJob',
    target: WORK,
    parallelism: random.integer(1, 4),
    completions: random.integer(1, 6),
    isIndexed,
    backoffLimit: random.pick([0, 1, 3, 6]),
    ...(isIndexed && random.chance(0.4) && { backoffLimitPerIndex: random.integer(0, 2) }),
    ...(random.chance(0.3) && { replacesFailedOnly: true }),
    suspended: random.chance(0.15),
    habits: drawJobHabits(random),
  };
}

function drawJobHabits(random: Random): Record<string, string> {
  return {
    'complete-after': `${random.integer(0, 8)}s`,
    ...(random.chance(0.4) && { 'fail-attempts': String(random.integer(1, 3)) }),
    ...(random.chance(0.2) && { 'fail-indexes': '0,2' }),
    ...(random.chance(0.3) && { 'start-delay': `${random.integer(1, 5)}s` }),
    ...(random.chance(0.4) && { 'termination-delay': `${random.integer(1, 20)}s` }),
  };
}

function drawDisturbance(random: Random): ClientOp {
  return random.pick<() => ClientOp>([
    () => ({ op: 'deletePod', target: WORK, pick: random.fraction(), ...(random.chance(0.3) && { graceSeconds: 0 }) }),
    () => ({ op: 'deletePod', target: WORK, pick: random.fraction() }),
    () => ({ op: 'suspend', target: WORK, suspended: random.chance(0.6) }),
    () => ({ op: 'parallelism', target: WORK, parallelism: random.integer(0, 4) }),
    () => ({ op: 'delete', target: WORK, policy: random.pick(['Background', 'Foreground'] as const) }),
  ])();
}
