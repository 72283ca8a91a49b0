import type { Node, Pod } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import { isOutOfService, QUARANTINE_MS } from './decideCollection.ts';
import { ALL_NODES, syncPodsOfNode } from './syncPodsOfNode.ts';

/** Kubernetes' pod garbage collector: deletes the pods of nodes that are gone, or that somebody has declared out of service. */
export function createPodGarbageCollector(): Controller<SyncContext> {
  return {
    name: 'podgc',
    resources: ['nodes', 'namespaces'],
    watches: ['nodes', 'pods'],
    keysFor: keysForChange,
    keysToResync: (object, resource) =>
      resource === 'nodes' ? keysOfNode(object) : [keyOf(ALL_NODES, object.metadata.name)],
    sync: syncPodsOfNode,
  };
}

function keyOf(node: string, namespace = ''): WorkKey {
  return { controller: 'podgc', namespace, name: node };
}

function keysOfNode(node: Node): readonly WorkKey[] {
  return isOutOfService(node) ? [keyOf(node.metadata.name)] : [];
}

function keysForChange(change: Change): readonly KeyToSend[] {
  if (change.resource === 'pods') return keysForPod(change);
  const { name } = subjectOf(change).metadata;
  if (change.type === 'DELETED') return [{ key: keyOf(name), delayMs: QUARANTINE_MS }];
  return keysOfNode(change.after as Node).map((key) => ({ key }));
}

/** A pod that is created on a node, by its name, may name one that does not exist. All others come from a scheduler, which knows the nodes. */
function keysForPod({ before, after }: Change): readonly KeyToSend[] {
  const pod: Pod | undefined = after;
  const { nodeName = '' } = pod?.spec ?? {};
  return before || nodeName === '' ? [] : [{ key: keyOf(nodeName), delayMs: QUARANTINE_MS }];
}
