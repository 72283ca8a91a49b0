import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { noExecuteTaints, NODE_TAINTS } from '../../objects/nodes/nodeState.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { syncTaintedNode } from './syncTaintedNode.ts';

/** The taints that every pod tolerates for a while by default. A scheduler puts no pod on a node that has them. */
const DEFAULT_KEYS: ReadonlySet<string> = new Set([NODE_TAINTS.notReady, NODE_TAINTS.unreachable]);

/** Kubernetes' taint eviction controller: pods leave a node whose NoExecute taints they do not tolerate, or no longer. */
export function createTaintEvictionController(events: EventRecorder): Controller<SyncContext> {
  return {
    name: 'tainteviction',
    resources: ['nodes'],
    watches: ['nodes', 'pods'],
    keysFor: keysForChange,
    keysToResync: (node) => (noExecuteTaints(node as Node).length > 0 ? [keyOf(node.metadata.name)] : []),
    sync: (key, context) => syncTaintedNode(events, key, context),
  };
}

function keyOf(name: string): WorkKey {
  return { controller: 'tainteviction', namespace: '', name };
}

function keysForChange(change: Change): readonly KeyToSend[] {
  if (change.type === 'DELETED') return [];
  if (change.resource === 'pods') return keysForPod(change as { before?: Pod; after: Pod });
  const { before, after } = change as { before?: Node; after: Node };
  const taints = noExecuteTaints(after);
  const isSame = jsonEqual(before ? noExecuteTaints(before) : [], taints);
  return isSame || taints.length === 0 ? [] : [{ key: keyOf(after.metadata.name) }];
}

/**
 * Most pods cannot be concerned: a scheduler puts them on a node only if they tolerate its taints. The exceptions are a pod that tolerates a taint for a time that somebody chose, and one that was created
 * on its node.
 */
function keysForPod({ before, after }: { before?: Pod; after: Pod }): readonly KeyToSend[] {
  const { nodeName = '', tolerations = [] } = after.spec ?? {};
  if (nodeName === '') return [];
  const isChanged =
    before?.spec?.nodeName !== nodeName || (before.spec.tolerations?.length ?? 0) !== tolerations.length;
  if (!isChanged) return [];
  const hasOwnTime = tolerations.some((one) => one.tolerationSeconds !== undefined && !DEFAULT_KEYS.has(one.key ?? ''));
  return !before || hasOwnTime ? [{ key: keyOf(nodeName) }] : [];
}
