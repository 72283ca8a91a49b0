import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import { reasonInWords } from './garbageCollectorReasons.ts';
import type { Collected } from './attemptToDeleteItem.ts';
import { collectObject } from './collectObject.ts';
import { encodeCollectKey, keysForChange, parseCollectKey } from './keysForChange.ts';
import { type CollectedResource, groupOf, keyOf, type ListCustomResources, OwnerGraph } from './OwnerGraph.ts';

export interface GarbageCollectorDeps {
  readonly objectStore: ObjectReader;
  /** All stored resources: objects of each may own or be owned. */
  readonly resources: readonly CollectedResource[];
  /** Custom resources; absent: there are none. */
  readonly customResources?: ListCustomResources;
  /** Whether changes of a resource that is not among `resources` concern custom objects. */
  readonly isCustom?: (resource: GroupResource) => boolean;
}

/** Kubernetes' garbage collector: background, foreground and orphan deletion along owner references. */
export function createGarbageCollector(deps: GarbageCollectorDeps): Controller<SyncContext> {
  const { objectStore, resources, customResources, isCustom = () => false } = deps;
  const graph = new OwnerGraph(objectStore, resources, customResources);
  const names = resources.map(({ groupResource }) => groupResource);
  const known = new Set(names);
  return {
    name: 'garbagecollector',
    resources: names,
    ...(customResources && {
      customResources: async () => (await customResources()).map(({ groupResource }) => groupResource),
    }),
    watches: { includes: (resource) => known.has(resource) || isCustom(resource) },
    keysFor: (change) => keysForChange(graph, change),
    keysToResync: (object, resource, lost) => {
      const { ownerReferences = [], deletionTimestamp, uid } = object.metadata;
      const hasLostOwner = ownerReferences.some((owner) => isLostOwner(graph, owner, lost));
      const isLost = !lost || lost.includes(resource);
      const concerned = hasLostOwner || (isLost && ownerReferences.length > 0) || deletionTimestamp !== undefined;
      return concerned ? [encodeCollectKey({ ...keyOf(resource, object), uid })] : [];
    },
    async sync(key, { registry, mayGoOn }) {
      const identity = parseCollectKey(key);
      if (!identity) {
        return report({ status: 'settled', why: [{ reason: 'notACollectorKey', name: key.name }], writes: [] });
      }
      return report(await collectObject({ registry, mayGoOn, graph }, identity));
    },
  };
}

/** Whether changes of the owner may have been missed. An owner of a custom kind counts if changes of any resource of its group may have been. */
function isLostOwner(graph: OwnerGraph, owner: OwnerReference, lost: readonly GroupResource[] | undefined): boolean {
  if (!lost) return true;
  const builtIn = graph.builtInOwner(owner);
  if (builtIn) return lost.includes(builtIn.groupResource);
  const group = groupOf(owner);
  return group !== '' && lost.some((resource) => resource.endsWith(`.${group}`));
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
