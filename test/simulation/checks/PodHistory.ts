import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive, podAvailableAtMs } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';

/** A pod from one of its writes to the next. */
interface PodState {
  readonly fromMs: number;
  readonly ownerUid: string | undefined;
  readonly isActive: boolean;
  /** When it became ready; `undefined` while it is not. */
  readonly readyMs: number | undefined;
}

interface PodRecord {
  readonly states: PodState[];
  /** When a ReplicaSet or ReplicationController asked for its deletion; `undefined` while none has. */
  takenMs: number | undefined;
}

/** Two clocks may be this far apart, and the times of a pod have whole seconds. */
export const LENIENCY_MS = 3_000;

/** Who deletes pods because there are too many. */
export const ENGINES: ReadonlySet<string> = new Set(['replicaset', 'replicationcontroller']);

/** What every pod was at every time: whose replica, and whether it was active and available. */
export class PodHistory {
  readonly #pods = new Map<string, PodRecord>();
  /** UIDs of the pods that ever had this owner. */
  readonly #byOwner = new Map<string, Set<string>>();

  onWrite({ writer, change }: AuditedWrite, nowMs: number): void {
    if (change.resource !== 'pods') return;
    const { before, after } = change as { before?: Pod; after?: Pod };
    const uid = (after ?? before)?.metadata.uid ?? '';
    const record = this.#pods.get(uid) ?? { states: [], takenMs: undefined };
    this.#pods.set(uid, record);
    const isDeletion = before && isPodActive(before) && (!after || after.metadata.deletionTimestamp !== undefined);
    if (isDeletion && ENGINES.has(writer)) record.takenMs ??= nowMs;
    record.states.push(stateOf(after, nowMs));
    const owner = after && controllerOf(after)?.uid;
    if (owner === undefined) return;
    const pods = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, pods.add(uid));
  }

  /** How many pods of the owner were surely available then, by every clock, without those that it had taken away by `toldMs`. */
  availableAt(ownerUid: string, atMs: number, minReadySeconds: number, toldMs = atMs): number {
    return this.#count(ownerUid, ({ states, takenMs = Number.POSITIVE_INFINITY }) => {
      if (takenMs <= toldMs) return false;
      const state = states.findLast(({ fromMs }) => fromMs <= atMs);
      return state?.ownerUid === ownerUid && isAvailable(state, minReadySeconds, atMs - LENIENCY_MS);
    });
  }

  /** How many pods of the owner are available now by some clock, or were since then and were lost by somebody else's doing. */
  availableOrLostSince(ownerUid: string, sinceMs: number, minReadySeconds: number, nowMs: number): number {
    return this.#count(
      ownerUid,
      (record) => record.takenMs === undefined && wasAvailable(record, ownerUid, sinceMs, minReadySeconds, nowMs),
    );
  }

  /** How many pods of the owner, except for those, were available at some time since then, by some clock. */
  availableSince(
    ownerUid: string,
    sinceMs: number,
    minReadySeconds: number,
    nowMs: number,
    except: ReadonlySet<string>,
  ): number {
    return this.#count(
      ownerUid,
      (record, uid) => !except.has(uid) && wasAvailable(record, ownerUid, sinceMs, minReadySeconds, nowMs),
    );
  }

  /** How many pods of the owner are active, or were since then and were lost by somebody else's doing. */
  activeOrLostSince(ownerUid: string, sinceMs: number): number {
    return this.#count(ownerUid, ({ states, takenMs }) => {
      if (takenMs !== undefined) return false;
      return states.some((state, index) => {
        const isRecent = index === states.length - 1 || (states[index + 1]?.fromMs ?? 0) >= sinceMs;
        return isRecent && state.ownerUid === ownerUid && state.isActive;
      });
    });
  }

  /** True if the pod became a replica of this owner after that time without being created as one: it was somebody else's, or this owner had released it since a user relabelled it. */
  wasAdoptedSince(podUid: string, ownerUid: string, sinceMs: number): boolean {
    const { states = [] } = this.#pods.get(podUid) ?? {};
    return states.some(({ ownerUid: is, fromMs }, index) => {
      const was = index > 0 ? states[index - 1]?.ownerUid : ownerUid;
      return is === ownerUid && was !== ownerUid && fromMs >= sinceMs;
    });
  }

  #count(ownerUid: string, matches: (record: PodRecord, uid: string) => boolean): number {
    const uids = [...(this.#byOwner.get(ownerUid) ?? [])];
    return uids.filter((uid) => matches(this.#pods.get(uid) as PodRecord, uid)).length;
  }
}

/** True if it was available as a pod of that owner at some time since then, by some clock. */
function wasAvailable(
  { states }: PodRecord,
  ownerUid: string,
  sinceMs: number,
  minReadySeconds: number,
  nowMs: number,
): boolean {
  return states.some((state, index) => {
    const untilMs = states[index + 1]?.fromMs ?? nowMs;
    const isRecent = index === states.length - 1 || untilMs >= sinceMs;
    return isRecent && state.ownerUid === ownerUid && isAvailable(state, minReadySeconds, untilMs + LENIENCY_MS);
  });
}

function stateOf(pod: Pod | undefined, fromMs: number): PodState {
  if (!pod) return { fromMs, ownerUid: undefined, isActive: false, readyMs: undefined };
  const isActive = isPodActive(pod);
  // The availability of a second that is counted off again.
  const availableAtMs = podAvailableAtMs(pod, 1);
  const readyMs = isActive && availableAtMs !== undefined ? availableAtMs - 1000 : undefined;
  return { fromMs, ownerUid: controllerOf(pod)?.uid, isActive, readyMs };
}

function isAvailable({ readyMs }: PodState, minReadySeconds: number, atMs: number): boolean {
  if (readyMs === undefined) return false;
  return minReadySeconds === 0 || readyMs + minReadySeconds * 1000 <= atMs;
}
