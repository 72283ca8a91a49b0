import { jsonEqual } from '../../objects/json.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import { REVISION } from '../../objects/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import type { EventText, Plan, PlannedWrite } from './Plan.ts';
import { desiredReplicas } from './replicaCounts.ts';
import { allReplicaSets, type Rollout, type World } from './Rollout.ts';
import type { DeploymentStatus } from './status.ts';
import { withRevision } from './syncRevision.ts';

/** What a sync wants to leave behind; the plan's writes are the difference to what it found. */
export interface Outcome {
  /** The ReplicaSets as they shall be. */
  readonly rollout: Rollout;
  /** In which order to write those that change, by UID; others follow. */
  readonly order?: readonly string[];
  readonly status: DeploymentStatus;
  readonly create?: NewObject;
  readonly remove?: readonly ReplicaSet[];
  readonly why: readonly string[];
  readonly waitsFor: readonly string[];
}

/** The plan that leads from what was seen to that outcome: ReplicaSets first, the Deployment's status last. Pure. */
export function draftPlan(world: World, outcome: Outcome): Plan {
  const { create, remove = [], status, why, waitsFor } = outcome;
  const revision = (create ?? outcome.rollout.newReplicaSet)?.metadata.annotations?.[REVISION];
  const writes: PlannedWrite[] = [
    ...replicaSetWrites(world, outcome),
    ...(create ? [createWrite(create)] : []),
    ...remove.map((replicaSet) => ({ write: 'deleteReplicaSet', replicaSet }) as const),
    ...statusWrites(world.deployment, status, revision),
  ];
  return { deployment: world.deployment, writes, events: [], why, waitsFor };
}

function replicaSetWrites(world: World, { rollout, order = [] }: Outcome): PlannedWrite[] {
  const before = new Map(world.replicaSets.map((replicaSet) => [replicaSet.metadata.uid, replicaSet]));
  const rank = ({ metadata }: ReplicaSet) =>
    order.includes(metadata.uid) ? order.indexOf(metadata.uid) : order.length;
  return allReplicaSets(rollout)
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((to) => {
      const from = before.get(to.metadata.uid);
      if (!from || from === to || jsonEqual(from, to)) return [];
      return [{ write: 'updateReplicaSet', from, to, events: scalingEvents(to.metadata.name, from, to) } as const];
    });
}

function createWrite(replicaSet: NewObject): PlannedWrite {
  const { replicas = 0 } = replicaSet['spec'] as { replicas?: number };
  const events = replicas > 0 ? [scalingEvent(replicaSet.metadata.name ?? '', 0, replicas)] : [];
  return { write: 'createReplicaSet', replicaSet, events };
}

/** The revision that the Deployment shows goes with its status, so that both are there or neither. */
function statusWrites(deployment: Deployment, status: DeploymentStatus, revision: string | undefined): PlannedWrite[] {
  const to = withRevision(deployment, revision);
  if (to === deployment && jsonEqual(deployment.status ?? {}, status)) return [];
  return [{ write: 'updateStatus', to: { ...to, status } }];
}

function scalingEvents(name: string, from: ReplicaSet, to: ReplicaSet): EventText[] {
  const [before, after] = [desiredReplicas(from), desiredReplicas(to)];
  return before === after ? [] : [scalingEvent(name, before, after)];
}

function scalingEvent(name: string, from: number, to: number): EventText {
  const message = `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  return { type: 'Normal', reason: 'ScalingReplicaSet', message };
}
