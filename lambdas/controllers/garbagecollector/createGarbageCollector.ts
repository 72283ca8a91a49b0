import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { ObjectReader } from '../guardWrites.ts';
import { encodeCollectKey, parseCollectKey } from './collectKey.ts';
import { type Collected, collectObject } from './collectObject.ts';
import { keysForChange } from './keysForChange.ts';
import { type CollectedResource, keyOf, OwnerGraph } from './OwnerGraph.ts';

export interface GarbageCollectorDeps {
  readonly objectStore: ObjectReader;
  /** Every stored resource: any of them may own or be owned. */
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
    keysToResync: (object, resource) => {
      const { ownerReferences = [], deletionTimestamp, uid } = object.metadata;
      const concerned = ownerReferences.length > 0 || deletionTimestamp !== undefined;
      return concerned ? [encodeCollectKey({ ...keyOf(resource, object), uid })] : [];
    },
    async sync(key, { late, mayWrite }) {
      const identity = parseCollectKey(key);
      if (!identity) return report({ status: 'settled', why: [`No object is meant by ${key.name}.`], writes: [] });
      return report(await collectObject({ registry: late.registry, mayWrite, graph }, identity));
    },
  };
}

function report({ status, why, writes }: Collected): SyncReport {
  switch (status) {
    case 'settled':
      return { outcome: { status: 'done' }, why, writes };
    case 'conflict':
      return { outcome: { status: 'conflict' }, why, writes };
    case 'outOfTime':
      return {
        outcome: { status: 'requeueAfter', delayMs: 0 },
        why: [...why, 'Time was up; the rest follows.'],
        writes,
      };
    default:
      return status satisfies never;
  }
}
