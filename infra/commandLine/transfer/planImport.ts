import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { staysBehind } from './withoutOldLife.ts';

/** What others need, in this order: it is created first. */
const NEEDED_FIRST = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'Node',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Service',
];
/** What would refuse or change the others. */
const LAST = ['LimitRange', 'ResourceQuota'];

export interface ImportPlan {
  /** The objects to create. All of one step may be created at the same time. */
  readonly steps: readonly (readonly KubernetesObject[])[];
  /** Pods that are left to their controllers: the controllers create their own, and imported ones would be too many. */
  readonly leftToControllers: number;
}

/**
 * Plans an import through the API: first what others need, then what is owned before its owners. Events and objects that are being deleted are left out. A ReplicaSet without its Deployment is no mistake, since the Deployment adopts it; a Deployment without
 * its ReplicaSets would create new ones under their names. Pure.
 */
export function planImport(objects: readonly KubernetesObject[]): ImportPlan {
  const alive = objects.filter((object) => object.metadata.deletionTimestamp === undefined && !staysBehind(object));
  const chosen = alive.filter((object) => !isControlledPod(object));
  const byUid = new Map(chosen.map((object) => [object.metadata.uid, object]));
  const steps = new Map<number, KubernetesObject[]>();
  for (const object of chosen) {
    const step = stepOf(object, byUid);
    steps.set(step, [...(steps.get(step) ?? []), object]);
  }
  return {
    steps: [...steps].sort(([a], [b]) => a - b).map(([, step]) => step),
    leftToControllers: alive.length - chosen.length,
  };
}

function isControlledPod({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'Pod' && (metadata.ownerReferences ?? []).some(({ controller }) => controller === true);
}

/** The depth in the tree of owners is limited in case that owners own each other. */
const DEEPEST = 8;

function stepOf(object: KubernetesObject, byUid: ReadonlyMap<string, KubernetesObject>): number {
  const first = NEEDED_FIRST.indexOf(object.kind);
  if (first >= 0) return first;
  if (LAST.includes(object.kind)) return NEEDED_FIRST.length + DEEPEST + 1;
  return NEEDED_FIRST.length + DEEPEST - depthOf(object, byUid, 0);
}

function depthOf({ metadata }: KubernetesObject, byUid: ReadonlyMap<string, KubernetesObject>, depth: number): number {
  const owners = (metadata.ownerReferences ?? []).flatMap(({ uid }) => byUid.get(uid) ?? []);
  if (depth === DEEPEST || owners.length === 0) return depth;
  return Math.max(...owners.map((owner) => depthOf(owner, byUid, depth + 1)));
}
