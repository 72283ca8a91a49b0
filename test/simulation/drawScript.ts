import type { ClientOp, PodHabits, Policy, Script, Strategy, Target, TimedOp } from './ClientOp.ts';
import type { Random } from './Random.ts';

const IMAGES = ['app:1', 'app:2', 'app:3', 'app:4'] as const;
const POLICIES: readonly Policy[] = ['Background', 'Foreground', 'Orphan'];

/** What a user does over a few minutes to a few workloads. Everything that is needed to do it again. */
export function drawScript(random: Random): Script {
  const targets = drawTargets(random);
  // Some seeds hold to what must end alike however it is interleaved, so that many runs can be compared.
  const commuting = random.chance(0.5);
  // And in some the user never waits for what was begun.
  const hasty = random.chance(0.4);
  const ops = targets.flatMap((target) => drawOps(random, target, { commuting, hasty }));
  ops.sort((a, b) => a.atMs - b.atMs);
  const lastMs = ops.at(-1)?.atMs ?? 0;
  return { ops, endMs: lastMs + random.integer(0, 20_000), commutes: ops.every(({ op }) => commutes(op)) };
}

function drawTargets(random: Random): Target[] {
  const targets: Target[] = [{ resource: 'deployments.apps', namespace: 'a', name: 'web' }];
  if (random.chance(0.3)) targets.push({ resource: 'deployments.apps', namespace: 'b', name: 'api' });
  if (random.chance(0.25)) targets.push({ resource: 'replicasets.apps', namespace: 'a', name: 'set' });
  if (random.chance(0.2)) targets.push({ resource: 'replicationcontrollers', namespace: 'b', name: 'ctl' });
  return targets;
}

interface Manner {
  readonly commuting: boolean;
  readonly hasty: boolean;
}

function drawOps(random: Random, target: Target, { commuting, hasty }: Manner): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3000);
  let isThere = false;
  const most = target.resource === 'deployments.apps' ? 8 : 4;
  const count = random.integer(2, hasty ? most + 3 : most);
  for (let drawn = 0; drawn < count; drawn += 1) {
    const op: ClientOp = isThere ? drawChange(random, target, commuting) : drawCreation(random, target);
    ops.push({ atMs, op });
    isThere = op.op !== 'delete';
    atMs += drawPauseMs(random, hasty);
  }
  // What is left paused could not be complete.
  if (isThere && target.resource === 'deployments.apps') ops.push({ atMs, op: { op: 'pause', target, paused: false } });
  return ops;
}

/** Users are quick, or wait to see what happens. Never at the same instant: then the order would not be the script's. */
function drawPauseMs(random: Random, hasty: boolean): number {
  if (hasty) return random.chance(0.5) ? random.integer(1, 100) : random.integer(100, 3000);
  return random.pick([
    () => random.integer(1, 50),
    () => random.integer(50, 2000),
    () => random.integer(2000, 40_000),
  ])();
}

function drawCreation(random: Random, target: Target): ClientOp {
  return {
    op: 'create',
    target,
    replicas: random.integer(0, 6),
    image: random.pick(IMAGES),
    strategy: drawStrategy(random),
    minReadySeconds: random.chance(0.3) ? random.integer(1, 5) : 0,
    habits: drawHabits(random),
  };
}

function drawStrategy(random: Random): Strategy {
  if (random.chance(0.15)) return { type: 'Recreate' };
  const maxSurge = random.pick([0, 1, 2, '25%', '50%']);
  const maxUnavailable = maxSurge === 0 ? random.pick([1, 2, '50%']) : random.pick([0, 0, 1, '25%']);
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

function drawHabits(random: Random): PodHabits {
  const habits: Record<string, string> = {};
  if (random.chance(0.4)) habits['start-delay'] = `${random.integer(1, 8)}s`;
  if (random.chance(0.2)) habits['ready-after'] = `${random.integer(1, 5)}s`;
  if (random.chance(0.3)) habits['termination-delay'] = `${random.integer(1, 20)}s`;
  return habits;
}

function drawChange(random: Random, target: Target, commuting: boolean): ClientOp {
  const scale = (): ClientOp => ({ op: 'scale', target, replicas: random.integer(0, 7) });
  const image = (): ClientOp => ({ op: 'image', target, image: random.pick(IMAGES) });
  const deletePod = (): ClientOp => ({ op: 'deletePod', target, pick: random.fraction(), ...drawGrace(random) });
  const remove = (): ClientOp => ({
    op: 'delete',
    target,
    policy: random.pick(commuting ? POLICIES.slice(0, 2) : POLICIES),
  });
  const anyKind = [scale, scale, deletePod, ...(random.chance(0.4) ? [remove] : [])];
  const detaching = [
    (): ClientOp => ({ op: 'detachPod', target, pick: random.fraction() }),
    (): ClientOp => ({ op: 'attachPods', target }),
  ];
  const wild = commuting ? [] : detaching;
  if (target.resource !== 'deployments.apps') return random.pick([...anyKind, ...wild])();
  const rollouts = [
    image,
    image,
    image,
    (): ClientOp => ({ op: 'pause', target, paused: random.chance(0.5) }),
    (): ClientOp => ({ op: 'strategy', target, strategy: drawStrategy(random) }),
  ];
  const wilder = [
    (): ClientOp => ({ op: 'undo', target }),
    (): ClientOp => ({ op: 'rollbackTo', target, revision: random.integer(0, 3) }),
    (): ClientOp => ({ op: 'deleteReplicaSet', target, pick: random.fraction(), policy: random.pick(POLICIES) }),
  ];
  return random.pick([...anyKind, ...rollouts, ...wild, ...(commuting ? [] : wilder)])();
}

function drawGrace(random: Random): { graceSeconds?: number } {
  return random.chance(0.3) ? { graceSeconds: 0 } : {};
}

/**
 * The last word about each workload counts, whatever else happened, for these; a pod that is deleted is replaced. The others depend on what the client meets:
 * which revisions there are, which pods.
 */
function commutes(op: ClientOp): boolean {
  switch (op.op) {
    case 'create':
    case 'scale':
    case 'image':
    case 'pause':
    case 'strategy':
    case 'deletePod':
      return true;
    case 'delete':
      return op.policy !== 'Orphan';
    case 'undo':
    case 'rollbackTo':
    case 'deleteReplicaSet':
    case 'detachPod':
    case 'attachPods':
      return false;
  }
}
