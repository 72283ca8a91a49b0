import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import { isOutOfService, QUARANTINE_MS } from './decideCollection.ts';
import { asksForCount } from './decideTerminated.ts';
import { ALL_NODES, CHECK_PERIOD_MS, POD_PREFIX, syncPodsOfNode } from './syncPodsOfNode.ts';

export interface PodGarbageCollectorOptions {
  /** How many pods that have ended stay; 0: all. */
  readonly terminatedPods: number;
  /** Whether pods are collected that are being deleted and have no node. Where nodes are simulated, the pods' own controller ends them. */
  readonly collectsUnscheduled: boolean;
}

/** Kubernetes' pod garbage collector: deletes the pods of nodes that are gone, or that somebody has declared out of service, pods without a node that nobody else ends, and the oldest of too many that have ended. */
export function createPodGarbageCollector(options: PodGarbageCollectorOptions): Controller<SyncContext> {
  return {
    name: 'podgc',
    resources: ['nodes', 'namespaces', 'pods'],
    watches: ['nodes', 'pods'],
    keysFor: (change) => keysForChange(change, options),
    keysToResync: (object, resource) => keysToResync(object, resource, options),
    sync: (key, context) => syncPodsOfNode(key, context, options.terminatedPods),
  };
}

function keyOf(node: string, namespace = ''): WorkKey {
  return { controller: 'podgc', namespace, name: node };
}

/** For all pods that have ended. A key of this name with a namespace is for the orphans of that. */
const TERMINATED = keyOf(ALL_NODES);

function keysToResync(
  object: KubernetesObject,
  resource: GroupResource,
  options: PodGarbageCollectorOptions,
): readonly WorkKey[] {
  if (resource === 'nodes') return keysOfNode(object);
  if (resource === 'namespaces') return [keyOf(ALL_NODES, object.metadata.name)];
  return keysOfPod(undefined, object, options);
}

function keysOfNode(node: Node): readonly WorkKey[] {
  return isOutOfService(node) ? [keyOf(node.metadata.name)] : [];
}

/** Most pods need none of this: they have a node, and do not end by themselves. */
function keysOfPod(before: Pod | undefined, pod: Pod, options: PodGarbageCollectorOptions): readonly WorkKey[] {
  if (asksForCount(before, pod, options.terminatedPods)) return [TERMINATED];
  const { namespace, name, deletionTimestamp } = pod.metadata;
  const isLeft = deletionTimestamp !== undefined && !pod.spec?.nodeName && !isPodTerminal(pod);
  return isLeft && options.collectsUnscheduled ? [keyOf(POD_PREFIX + name, namespace)] : [];
}

function keysForChange(change: Change, options: PodGarbageCollectorOptions): readonly KeyToSend[] {
  if (change.resource === 'pods') return keysForPod(change, options);
  const { name } = subjectOf(change).metadata;
  if (change.type === 'DELETED') return [{ key: keyOf(name), delayMs: QUARANTINE_MS }];
  return keysOfNode(change.after as Node).map((key) => ({ key }));
}

/** A pod that is created on a node, by its name, may name one that does not exist. All others come from a scheduler, which knows the nodes. */
function keysForPod({ before, after }: Change, options: PodGarbageCollectorOptions): readonly KeyToSend[] {
  const pod: Pod | undefined = after;
  if (!pod) return [];
  const { nodeName = '' } = pod.spec ?? {};
  const orphan = before || nodeName === '' ? [] : [{ key: keyOf(nodeName), delayMs: QUARANTINE_MS }];
  // Those that end at about the same time are counted together.
  return [...orphan, ...keysOfPod(before, pod, options).map((key) => ({ key, delayMs: CHECK_PERIOD_MS }))];
}
