import { NO_DEADLINE } from './checks/Rollbacks.ts';
import type { ClientOp, Policy, Script, Strategy, Target, TimedOp, Upkeep } from './ClientOp.ts';
import type { Random } from './Random.ts';

const IMAGES = ['app:1', 'app:2', 'app:3', 'app:4'] as const;
/** No registry has the first two, and none can have the third. */
const FAILING_IMAGES = ['app:404', 'nonexistent/app:1', 'App:Upper'] as const;
const POLICIES: readonly Policy[] = ['Background', 'Foreground', 'Orphan'];

/** True for an image of which no pod ever runs. */
export function isFailingImage(image: string): boolean {
  return FAILING_IMAGES.some((failing) => failing === image);
}

/** What a run is about, besides its workloads. */
interface Manner {
  /** It must end the same however it is interleaved, so that it can be compared with a run without faults. */
  readonly commuting: boolean;
  /** The user never waits for what was begun. */
  readonly hasty: boolean;
  /** Templates whose pods never become ready are among those rolled out. */
  readonly failing: boolean;
}

/** Draws what a user does over a few minutes to a few workloads: everything that is needed to do it again. */
export function drawScript(random: Random): Script {
  const manner = { commuting: random.chance(0.45), hasty: random.chance(0.4), failing: random.chance(0.35) };
  const targets = drawTargets(random, manner);
  const ops = targets.flatMap((target) => drawOps(random, target, manner));
  const middleMs = random.integer(0, Math.max(1, ...ops.map(({ atMs }) => atMs)));
  if (!manner.commuting) ops.push(...drawNamespaceOps(random, targets, middleMs));
  ops.sort((a, b) => a.atMs - b.atMs);
  const lastMs = ops.at(-1)?.atMs ?? 0;
  const endMs = lastMs + random.integer(0, 20_000);
  const commutesWholly = ops.every(({ op }) => commutes(op)) && targets.every((target) => canEndWell(target, ops));
  const isTimed = ops.some(({ op }) => dependsOnTime(op));
  return { ops, upkeep: drawUpkeep(random, endMs), endMs, commutes: commutesWholly, isTimed };
}

function drawTargets(random: Random, { commuting }: Manner): Target[] {
  const targets: Target[] = [{ resource: 'deployments.apps', namespace: 'a', name: 'web', app: 'web' }];
  if (random.chance(0.25)) targets.push({ resource: 'deployments.apps', namespace: 'b', name: 'api', app: 'api' });
  if (!commuting && random.chance(0.2))
    targets.push({ resource: 'deployments.apps', namespace: 'a', name: 'web-too', app: 'web' });
  if (random.chance(0.25)) targets.push({ resource: 'replicasets.apps', namespace: 'a', name: 'set', app: 'set' });
  if (random.chance(0.25))
    targets.push({ resource: 'replicationcontrollers', namespace: 'b', name: 'ctl', app: 'ctl' });
  return targets;
}

function drawOps(random: Random, target: Target, manner: Manner): TimedOp[] {
  const ops: TimedOp[] = [];
  let atMs = random.integer(0, 3000);
  let isThere = false;
  const most = target.resource === 'deployments.apps' ? 8 : 4;
  const count = random.integer(2, manner.hasty ? most + 3 : most);
  if (target.resource === 'deployments.apps' && !manner.commuting) {
    ops.push(...drawOpening(random, target, manner, atMs));
    isThere = ops.length > 0;
    atMs = (ops.at(-1)?.atMs ?? atMs) + drawPauseMs(random, manner.hasty);
  }
  for (let drawn = 0; drawn < count; drawn += 1) {
    const op: ClientOp = isThere ? drawChange(random, target, manner) : drawCreation(random, target, manner);
    ops.push({ atMs, op });
    isThere = op.op !== 'delete';
    atMs += drawPauseMs(random, manner.hasty);
  }
  if (isThere && target.resource === 'deployments.apps') ops.push(...drawLastOps(random, target, manner, atMs));
  return ops;
}

/** Some Deployments begin with a rollout that had time to become complete, and one that fails, is close to it, or finds its ReplicaSet's name taken. */
function drawOpening(random: Random, target: Target, manner: Manner, atMs: number): TimedOp[] {
  const isFailing = manner.failing && random.chance(0.7);
  const isTaken = random.chance(0.1);
  if (!isFailing && !isTaken) return [];
  const image = random.pick(isFailing && random.chance(0.6) ? FAILING_IMAGES : IMAGES);
  const laterMs = atMs + random.integer(15_000, 70_000);
  return [
    { atMs, op: drawCreation(random, target, manner) },
    ...(isTaken ? [{ atMs: laterMs, op: { op: 'takeName', target, image } as const }] : []),
    { atMs: laterMs + 100, op: { op: 'image', target, image } },
    { atMs: laterMs + random.integer(1_000, 60_000), op: { op: 'scale', target, replicas: random.integer(0, 7) } },
  ];
}

/** What is left paused could not be complete, and what is left failing ends in no foreseeable state. */
function drawLastOps(random: Random, target: Target, { commuting, failing }: Manner, atMs: number): TimedOp[] {
  const ops: TimedOp[] = [{ atMs, op: { op: 'pause', target, paused: false } }];
  if (failing && (commuting || random.chance(0.5)))
    ops.push({ atMs: atMs + random.integer(1, 60_000), op: { op: 'image', target, image: random.pick(IMAGES) } });
  return ops;
}

/** A quota that comes and goes, and the deletion of a namespace. */
function drawNamespaceOps(random: Random, targets: readonly Target[], atMs: number): TimedOp[] {
  const ops: TimedOp[] = [];
  const target = random.pick(targets);
  if (random.chance(0.2)) {
    ops.push({ atMs, op: { op: 'quota', target, pods: random.integer(0, 5) } });
    ops.push({ atMs: atMs + random.integer(1, 60_000), op: { op: 'quota', target, pods: undefined } });
  }
  const [, other] = targets;
  if (other && random.chance(0.25))
    ops.push({ atMs: atMs + random.integer(0, 30_000), op: { op: 'deleteNamespace', target: other } });
  return ops;
}

function drawUpkeep(random: Random, endMs: number): Upkeep[] {
  const upkeep: Upkeep[] = [];
  if (random.chance(0.1)) upkeep.push({ atMs: random.integer(0, endMs), what: 'restart' });
  if (random.chance(0.1)) upkeep.push({ atMs: random.integer(0, endMs), what: 'resync' });
  return upkeep;
}

/** Users are quick, or wait to see what happens. Never at the same instant: then the order would not be the script's. */
function drawPauseMs(random: Random, hasty: boolean): number {
  if (hasty) return random.chance(0.5) ? random.integer(1, 100) : random.integer(100, 3000);
  return random.pick([
    () => random.integer(1, 50),
    () => random.integer(50, 2000),
    () => random.integer(2000, 40_000),
    // A lock that a dead worker left has ended by then.
    () => random.integer(45_000, 100_000),
  ])();
}

function drawCreation(random: Random, target: Target, manner: Manner): ClientOp {
  const minReadySeconds = random.chance(0.35) ? random.pick([1, 3, 5, 30]) : 0;
  const autoRollback = !manner.commuting && random.chance(manner.failing ? 0.6 : 0.15);
  const progressDeadlineSeconds = drawDeadlineSeconds(random, minReadySeconds, autoRollback);
  const habits = drawHabits(random, manner);
  // A rollout that becomes available just when it times out must not be rolled back.
  const isCloseCall = autoRollback && (progressDeadlineSeconds ?? NO_DEADLINE) < 60 && random.chance(0.5);
  if (isCloseCall)
    habits['ready-after'] = `${Math.max(1, (progressDeadlineSeconds ?? 0) - minReadySeconds + random.integer(-1, 1))}s`;
  return {
    op: 'create',
    target,
    replicas: random.integer(0, 6),
    image: random.pick(IMAGES),
    strategy: drawStrategy(random),
    minReadySeconds,
    habits,
    ...(target.resource === 'deployments.apps' && {
      autoRollback,
      ...(progressDeadlineSeconds !== undefined && { progressDeadlineSeconds }),
    }),
  };
}

/** It must be longer than `minReadySeconds`. */
function drawDeadlineSeconds(random: Random, minReadySeconds: number, autoRollback: boolean): number | undefined {
  if (autoRollback && random.chance(0.25)) return NO_DEADLINE;
  return random.chance(0.6) ? minReadySeconds + random.integer(1, 20) : undefined;
}

function drawStrategy(random: Random): Strategy {
  if (random.chance(0.15)) return { type: 'Recreate' };
  const maxSurge = random.pick([0, 1, 2, '25%', '50%']);
  const maxUnavailable = maxSurge === 0 ? random.pick([1, 2, '50%']) : random.pick([0, 0, 1, '25%']);
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

function drawHabits(random: Random, { commuting, failing }: Manner): Record<string, string> {
  const habits: Record<string, string> = {};
  if (random.chance(0.4)) habits['start-delay'] = `${random.integer(1, 8)}s`;
  if (random.chance(0.25)) habits['ready-after'] = `${random.integer(1, 8)}s`;
  if (random.chance(0.3)) habits['termination-delay'] = `${random.integer(1, 20)}s`;
  if (failing && !commuting && random.chance(0.1)) habits['never-ready'] = 'true';
  return habits;
}

function drawChange(random: Random, target: Target, manner: Manner): ClientOp {
  const { commuting, failing } = manner;
  const images = failing ? [...IMAGES, ...FAILING_IMAGES, ...FAILING_IMAGES.slice(-1)] : IMAGES;
  const scale = (): ClientOp => ({ op: 'scale', target, replicas: random.integer(0, 7) });
  const image = (): ClientOp => ({ op: 'image', target, image: random.pick(images) });
  const deletePod = (): ClientOp => ({ op: 'deletePod', target, pick: random.fraction(), ...drawGrace(random) });
  const remove = (): ClientOp => ({
    op: 'delete',
    target,
    policy: random.pick(commuting ? POLICIES.slice(0, 2) : POLICIES),
  });
  const anyKind = [scale, scale, deletePod, ...(random.chance(0.4) ? [remove] : [])];
  const wild = commuting ? [] : wildChanges(random, target);
  if (target.resource !== 'deployments.apps') return random.pick([...anyKind, ...wild])();
  const rollouts = [
    image,
    image,
    image,
    (): ClientOp => ({ op: 'pause', target, paused: random.chance(0.5) }),
    (): ClientOp => ({ op: 'strategy', target, strategy: drawStrategy(random) }),
  ];
  return random.pick([...anyKind, ...rollouts, ...wild, ...(commuting ? [] : wildRollouts(random, target))])();
}

function wildChanges(random: Random, target: Target): (() => ClientOp)[] {
  const detach = (): ClientOp => ({ op: 'detachPod', target, pick: random.fraction() });
  const attach = (): ClientOp => ({ op: 'attachPods', target });
  const run = (): ClientOp => ({
    op: 'runPod',
    target,
    seconds: random.integer(1, 30),
    exitCode: random.integer(0, 1),
  });
  return [detach, attach, ...(random.chance(0.3) ? [run] : [])];
}

function wildRollouts(random: Random, target: Target): (() => ClientOp)[] {
  return [
    () => ({ op: 'undo', target }),
    () => ({ op: 'rollbackTo', target, revision: random.integer(0, 3) }),
    () => ({ op: 'deleteReplicaSet', target, pick: random.fraction(), policy: random.pick(POLICIES) }),
    ...(random.chance(0.3)
      ? [
          (): ClientOp => ({ op: 'takeName', target, image: random.pick(IMAGES) }),
          (): ClientOp => ({ op: 'autoRollback', target, isOn: random.chance(0.7) }),
        ]
      : []),
  ];
}

function drawGrace(random: Random): { graceSeconds?: number } {
  return random.chance(0.3) ? { graceSeconds: 0 } : {};
}

/** How far a rollout gets that cannot end depends on what came before it. */
function canEndWell({ namespace, name }: Target, ops: readonly TimedOp[]): boolean {
  const images = ops.flatMap(({ op }) => {
    const isAboutIt = op.target.namespace === namespace && op.target.name === name;
    return isAboutIt && (op.op === 'create' || op.op === 'image') ? [op.image] : [];
  });
  return !isFailingImage(images.at(-1) ?? '');
}

function dependsOnTime(op: ClientOp): boolean {
  if (op.op === 'image') return isFailingImage(op.image);
  if (op.op !== 'create') return op.op === 'autoRollback';
  const isFailing = isFailingImage(op.image) || op.habits['never-ready'] !== undefined;
  return isFailing || op.minReadySeconds > 0 || op.autoRollback === true;
}

/**
 * Of these actions the last about each workload decides, whatever else happened; a pod that is deleted is replaced. The effect of the others depends on what the client meets:
 * which revisions there are, which pods.
 */
function commutes(op: ClientOp): boolean {
  switch (op.op) {
    case 'create':
      return op.autoRollback !== true && op.habits['never-ready'] === undefined;
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
    case 'autoRollback':
    case 'deleteReplicaSet':
    case 'detachPod':
    case 'attachPods':
    case 'runPod':
    case 'takeName':
    case 'quota':
    case 'deleteNamespace':
    case 'createJob':
    case 'createCronJob':
    case 'createStatefulSet':
    case 'partition':
    case 'createBudget':
    case 'changeBudget':
    case 'evict':
    case 'createDaemonSet':
    case 'daemonStrategy':
    case 'addNode':
    case 'removeNode':
    case 'taintNode':
    case 'createWaiters':
    case 'giveData':
    case 'createCrowd':
    case 'addSmallNode':
    case 'cordonNode':
    case 'createAutoscaler':
    case 'changeAutoscaler':
    case 'load':
    case 'concurrency':
    case 'deleteJob':
    case 'suspend':
    case 'parallelism':
      return false;
  }
}
