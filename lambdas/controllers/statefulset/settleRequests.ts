import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { LATEST_WRITE_MS } from '../../ports/ObjectStore.ts';
import type { GuardedObjectStore } from '../GuardedWriters.ts';
import { plannedUid } from '../replicaset/plannedPods.ts';
import { getPodName } from './podIdentity.ts';

/** A pod that an earlier sync requested and whose create may still come late. `atMs`: when it was requested. */
export interface LateCreate {
  readonly name: string;
  readonly uid: string;
  readonly atMs: number;
}

/** What a StatefulSet's key remembers: the ordinal of each pod to create. */
export interface SetMemory {
  readonly indexes?: readonly number[];
  /** Written by the release before this one, which burned no UID while another pod had the name: creates of still earlier syncs. */
  readonly late?: readonly LateCreate[];
}

/** Returns what only this controller reads of an intent. Pure. */
export function memoryOf({ memory }: Intent): SetMemory {
  return memory ?? {};
}

/** What may still come of an intent. Every sync computes the same. */
export interface OpenRequests {
  readonly creates: readonly LateCreate[];
  /** Pods whose recorded delete would still hit them. */
  readonly deletes: readonly Pod[];
}

/** Returns the creates of an intent, and those that it took over, whose pods are not among the listed ones, and its deletes of pods that are still as they were. `listed`: the set's pods and orphans. Pure. */
export function openRequests(
  set: { readonly metadata: { readonly name: string } },
  intent: Intent | undefined,
  listed: readonly Pod[],
  nowMs: number,
): OpenRequests {
  if (!intent) return { creates: [], deletes: [] };
  const seen = new Map(listed.map((pod) => [pod.metadata.uid, pod]));
  const { id, atMs = nowMs } = intent;
  const { indexes = [], late = [] } = memoryOf(intent);
  const planned = indexes.map((ordinal, nth) => ({ name: getPodName(set, ordinal), uid: plannedUid(id, nth), atMs }));
  return {
    creates: [...planned, ...late].filter((one) => !seen.has(one.uid) && nowMs - one.atMs <= LATEST_WRITE_MS),
    deletes: intent.deletes.flatMap(({ uid, resourceVersion }) => {
      const pod = seen.get(uid);
      const mayLand =
        pod?.metadata.resourceVersion === resourceVersion && pod?.metadata.deletionTimestamp === undefined;
      return pod && mayLand ? [pod] : [];
    }),
  };
}

/** `landed`: a create was faster, so that the pods must be listed again. */
export interface SettledRequests {
  readonly landed: boolean;
  /** Names of the pods whose requests can no longer have an effect. */
  readonly stopped: readonly string[];
}

/**
 * Makes the open requests of an earlier sync void: the UIDs of pods that do not exist are burned, and pods that were to be deleted are written unchanged, since the delete is on the condition of their version. Names of a set's
 * pods come again and again. So a create that comes late could make a pod after the set was scaled down, or with an old template, or before the pods with lower ordinals. It does not matter whether another pod has the name: that one
 * may go at any time, and the late create would come before the next sync.
 */
export async function settleRequests(
  objectStore: GuardedObjectStore,
  { namespace, uid }: { readonly namespace: string; readonly uid: string },
  { creates, deletes }: OpenRequests,
): Promise<SettledRequests> {
  const burned = await Promise.all(
    creates.map(async (create) => {
      const outcome = await objectStore.burn<Pod>({ resource: 'pods', namespace, name: create.name }, create.uid);
      if (outcome.status === 'burned') return { create, result: 'burned' } as const;
      // A pod that another controller has by now cannot come a second time.
      return { create, result: (controllerOf(outcome.current)?.uid ?? uid) === uid ? 'landed' : 'burned' } as const;
    }),
  );
  // A pod that changes before this write is as good: the condition of the delete no longer holds.
  await Promise.all(deletes.map((pod) => objectStore.replace('pods', pod)));
  const stopped = burned.filter(({ result }) => result === 'burned').map(({ create }) => create.name);
  return {
    landed: burned.some(({ result }) => result === 'landed'),
    stopped: [...stopped, ...deletes.map(({ metadata }) => metadata.name)],
  };
}
