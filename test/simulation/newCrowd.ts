import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import { PRIORITY_CLASSES } from '../../lambdas/registry/resources/priorityClasses.ts';
import type { ClientOp, CrowdRank, CrowdWish } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** Keeps all other pods from the small nodes; the label keeps these pods from all other nodes. */
const CROWD = 'crowd';
const WISH = 'wish';
const ZONE = 'topology.kubernetes.io/zone';
/** How many CPUs a small node has. */
export const SMALL_CPUS = 3;
const ZONES = 2;
export const HIGHEST_PRIORITY = 3;

/** The priority classes of crowds: two for each priority. */
export const CROWD_CLASSES = Array.from({ length: HIGHEST_PRIORITY + 1 }, (_, priority) =>
  [true, false].map((preempts) => newClass({ priority, preempts })),
).flat();

function newClass(rank: CrowdRank) {
  const object: NewObject = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: className(rank) },
    value: rank.priority,
    preemptionPolicy: rank.preempts ? 'PreemptLowerPriority' : 'Never',
  };
  return { resource: PRIORITY_CLASSES, object };
}

function className({ priority, preempts }: CrowdRank): string {
  return `crowd-${priority}-${preempts ? 'preempts' : 'waits'}`;
}

/** Returns the ReplicaSet that a script's `createCrowd` sends. */
export function newCrowd(op: Extract<ClientOp, { op: 'createCrowd' }>): NewObject {
  const { target, replicas, wish, rank, habits } = op;
  const { namespace, name, app } = target;
  const labels = { app, [WISH]: wish.asks };
  const template = {
    metadata: { labels, annotations: habitAnnotations(habits) },
    spec: {
      ...specOf(wish),
      nodeSelector: { [CROWD]: 'true' },
      tolerations: [{ key: CROWD, operator: 'Exists' }],
      terminationGracePeriodSeconds: 5,
      priorityClassName: className(rank),
    },
  };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { namespace, name, labels }, spec };
}

/** Returns the node that a script's `addSmallNode` creates. Every second one is in the same zone. */
export function newSmallNode(
  { target, number, pods }: Extract<ClientOp, { op: 'addSmallNode' }>,
  nowMs: number,
): NewObject {
  const spec = {
    name: target.name,
    labels: { [CROWD]: 'true', [ZONE]: `zone-${number % ZONES}` },
    taints: [{ key: CROWD, effect: 'NoSchedule' }],
    capacity: { cpu: `${SMALL_CPUS}`, pods: `${pods}` },
  };
  return simulatedNode(number, spec, nowMs);
}

function specOf(wish: CrowdWish) {
  const container = { name: 'main', image: 'crowd:1' };
  switch (wish.asks) {
    case 'cpu':
      return { containers: [{ ...container, resources: { requests: { cpu: `${wish.milliCpu}m` } } }] };
    case 'port':
      return { containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }] };
    case 'nothing':
      return { containers: [container] };
    case 'distance':
      return { containers: [container], affinity: { podAntiAffinity: awayFrom(['distance', 'nothing']) } };
    case 'spread':
      return { containers: [container], topologySpreadConstraints: [spreadOf('spread')] };
    default:
      return wish satisfies never;
  }
}

function awayFrom(wishes: readonly CrowdWish['asks'][]) {
  const labelSelector = { matchExpressions: [{ key: WISH, operator: 'In', values: wishes }] };
  return {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
  };
}

function spreadOf(wish: CrowdWish['asks']) {
  const labelSelector = { matchLabels: { [WISH]: wish } };
  return { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector };
}
