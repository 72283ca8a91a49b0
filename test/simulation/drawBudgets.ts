import type { BudgetSpec, ClientOp, Target, TimedOp } from './ClientOp.ts';
import type { ExtraKind } from './ExtraKind.ts';
import { Random } from './Random.ts';

/** Of so many seeds, one has budgets for disruptions, and users who evict pods. */
const SEEDS_WITHOUT = 10;
/** Of the pods of the Deployment that every script has. */
const CALM: Target = { resource: 'poddisruptionbudgets.policy', namespace: 'a', name: 'calm', app: 'web' };
/** A user of its own: evictions wait for no change of the budget. */
const DRAIN: Target = { ...CALM, name: 'drain' };

/** A budget, and users who evict pods under it. */
export const BUDGETS: ExtraKind = {
  isDrawn: (seed) => seed % SEEDS_WITHOUT === 1,
  draw: (seed) => {
    const random = new Random(seed).fork().fork().fork();
    const changes = drawBudgetOps(random);
    const ops = [...changes, ...drawEvictions(random), ...drawHastyEvictions(random, changes)];
    const lastMs = Math.max(...ops.map(({ atMs }) => atMs));
    return { ops, endMs: lastMs + random.integer(0, 20_000) };
  },
  controllers: ['disruption'],
  resources: ['poddisruptionbudgets.policy'],
};

/** A budget that is created, changed a few times, and perhaps deleted and created anew. */
function drawBudgetOps(random: Random): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 8_000);
  const then = (op: ClientOp) => {
    ops.push({ atMs, op });
    atMs += random.integer(1, 25_000);
  };
  then(drawBudget(random));
  for (let left = random.integer(0, 4); left > 0; left--) {
    if (random.chance(0.7)) then({ op: 'changeBudget', target: CALM, spec: drawBudgetSpec(random) });
    else {
      then({ op: 'delete', target: CALM, policy: 'Background' });
      then(drawBudget(random));
    }
  }
  return ops;
}

/** Most often soon after the last ones. */
function drawEvictions(random: Random): TimedOp[] {
  let atMs = random.integer(3_000, 15_000);
  return Array.from({ length: random.integer(4, 12) }, () => {
    const evictions = { atMs, op: drawEviction(random) };
    atMs += random.chance(0.6) ? random.integer(1, 800) : random.integer(800, 20_000);
    return evictions;
  });
}

/** Right after a budget has changed, so that it may not be computed yet. */
function drawHastyEvictions(random: Random, changes: readonly TimedOp[]): TimedOp[] {
  return changes
    .filter(() => random.chance(0.6))
    .map(({ atMs }) => ({ atMs: atMs + random.integer(0, 40), op: drawEviction(random) }));
}

/** Of two or three pods at once. */
function drawEviction(random: Random): ClientOp {
  const picks = Array.from({ length: random.integer(2, 3) }, () => random.fraction());
  return { op: 'evict', target: DRAIN, picks };
}

function drawBudget(random: Random): ClientOp {
  return { op: 'createBudget', target: CALM, spec: drawBudgetSpec(random) };
}

function drawBudgetSpec(random: Random): BudgetSpec {
  const policy = random.chance(0.3) && { unhealthyPodEvictionPolicy: 'AlwaysAllow' as const };
  if (random.chance(0.5)) return { minAvailable: random.pick<number | string>([0, 1, 1, 2, '30%', '50%']), ...policy };
  return { maxUnavailable: random.pick<number | string>([0, 1, 1, 2, 2, '30%', '50%']), ...policy };
}
