import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { ObjectReader } from '../guardWrites.ts';
import { reasonInWords } from '../reasonInWords.ts';
import type { Collected } from './attemptToDeleteItem.ts';
import { collectObject } from './collectObject.ts';
import { encodeCollectKey, keysForChange, parseCollectKey } from './keysForChange.ts';
import { type CollectedResource, keyOf, OwnerGraph } from './OwnerGraph.ts';

export interface GarbageCollectorDeps {
  readonly objectStore: ObjectReader;
  /** All stored resources: objects of each may own or be owned. */
  readonly resources: readonly CollectedResource[];
}

/** Kubernetes' garbage collector: background, foreground and orphan deletion along owner references. */
export function createGarbageCollector({ objectStore, resources }: GarbageCollectorDeps): Controller<SyncContext> {
  const graph = new OwnerGraph(objectStore, resources);
  const watches = resources.map(({ groupResource }) => groupResource);
  return {
    name: 'garbagecollector',
    resources: watches,
    watches,
    keysFor: (change) => keysForChange(graph, change),
    keysToResync: (object, resource, lost) => {
      const { ownerReferences = [], deletionTimestamp, namespace = '', uid } = object.metadata;
      const isLost = (one: GroupResource | undefined) => !lost || (one !== undefined && lost.includes(one));
      const hasLostOwner = ownerReferences.some((owner) => isLost(graph.ownerKey(owner, namespace)?.resource));
      const concerned =
        hasLostOwner || (isLost(resource) && ownerReferences.length > 0) || deletionTimestamp !== undefined;
      return concerned ? [encodeCollectKey({ ...keyOf(resource, object), uid })] : [];
    },
    async sync(key, { registry, mayWrite }) {
      const identity = parseCollectKey(key);
      if (!identity) {
        return report({ status: 'settled', why: [{ reason: 'notACollectorKey', name: key.name }], writes: [] });
      }
      return report(await collectObject({ registry, mayWrite, graph }, identity));
    },
  };
}

function report({ status, why: reasons, writes }: Collected): SyncReport {
  const why = reasons.map(reasonInWords);
  switch (status) {
    case 'settled':
      return { outcome: { status: 'done' }, why, writes };
    case 'conflict':
      return { outcome: { status: 'conflict' }, why, writes };
    case 'outOfTime':
      return {
        outcome: { status: 'requeueAfter', delayMs: 0 },
        why: [...why, reasonInWords({ reason: 'restFollows' })],
        writes,
      };
    default:
      return status satisfies never;
  }
}
