import { type ReasonOf, type WaitOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** A bound of a rolling update, and the numbers that it comes from. */
export interface Bound {
  readonly field: 'maxSurge' | 'maxUnavailable';
  /** The value in the Deployment's spec: a number, or a percentage of `replicas`. */
  readonly given: number | string;
  readonly replicas: number;
  /** The given value in pods. */
  readonly resolved: number;
  /** The ceiling (for `maxSurge`) or the floor (for `maxUnavailable`) in pods. */
  readonly bound: number;
}

/** Why a Deployment's sync did what it did, in words. */
export const deploymentReasons = {
  ...sharedReasons,
  /** The object was deleted before this sync. */
  gone: () => 'the deployment is gone',
  beingDeleted: () => 'it is being deleted, so only its status is kept up to date',
  /** The Progressing condition has to be changed because of a pause or of its end. */
  pausedOrResumed: () => 'it was paused or resumed, so the clock of its rollout stops or starts again',
  paused: () => 'it is paused: it is scaled, but not rolled out',
  /** A ReplicaSet with the current template exists, and its rollout has no clock yet. */
  foundNewReplicaSet: () => 'its new replica set exists already, so the clock of its rollout starts now',
  complete: () => 'the rollout is complete',
  /** The message of the event about a rollback, on request or automatic. */
  rollback: ({ message }: { readonly message: string }) => message,
  templateChangedSinceGivenUp: () => 'the template was changed since it was given up on, so it is tried',
  templateGivenUp: () => 'this template was given up on and has not changed since, so it is not tried again',
  noReplicaSetWithTemplate: ({ name }: { readonly name: string }) =>
    `no replica set has this template, so ${name} is created`,
  startsWithNoneForRollback: () => 'a rollback is asked for, so it starts with 0 replicas',
  startsWithAll: () => 'no old pod is left, so it gets all replicas at once',
  newReplicaSetTooLarge: ({
    name,
    replicas,
    desired,
  }: {
    readonly name: string;
    readonly replicas: number;
    readonly desired: number;
  }) => `new replica set ${name} has ${replicas} replicas where ${desired} are wanted`,
  roomBelowCeiling: ({ ceiling, pods }: { readonly ceiling: Bound; readonly pods: number }) => {
    const room = ceiling.bound - pods;
    const allowance = room > 0 ? `${room} may be added` : 'none may be added';
    return `${boundInWords(ceiling)}; ${ceiling.bound} - ${pods} = ${room}: ${allowance}`;
  },
  spareAboveFloor: ({
    floor,
    replicas,
    newUnavailable,
  }: {
    readonly floor: Bound;
    readonly replicas: number;
    readonly newUnavailable: number;
  }) => {
    const spare = replicas - floor.bound - newUnavailable;
    return `${boundInWords(floor)}; ${replicas} - ${floor.bound} - ${newUnavailable} new unavailable = ${spare} old may go`;
  },
  unhealthyFirst: ({
    name,
    removed,
    unhealthy,
  }: {
    readonly name: string;
    readonly removed: number;
    readonly unhealthy: number;
  }) => `${removed} of ${unhealthy} unhealthy replicas of ${name} go first`,
  availableAboveFloor: ({ available, floor }: { readonly available: number; readonly floor: number }) =>
    `${available} available - ${floor} = ${available - floor} more than must stay`,
  recreateRemovesOldFirst: () => 'Recreate removes all old pods before it creates new ones',
  recreateCreatesAll: ({ desired }: { readonly desired: number }) =>
    `no old pod is left, so the new replica set gets all ${desired} replicas`,
  onlyReplicaSetToScale: ({ name, replicas }: { readonly name: string; readonly replicas: number }) =>
    `${name} is the only replica set to scale, so it gets all ${replicas} replicas`,
  newReplicaSetSaturated: () => 'the new replica set has all replicas available, so the old ones are scaled to 0',
  scaledByShares: ({
    total,
    allowed,
    sizes,
  }: {
    readonly total: number;
    readonly allowed: number;
    readonly sizes: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  }) => {
    const changes = sizes.map(({ name, from, to }) => `${name} ${from} -> ${to}`).join(', ');
    return `in the middle of a rollout all replica sets are scaled by their shares, ${total} -> ${allowed}: ${changes}`;
  },
  writeConflict: ({ write, message }: { readonly write: string; readonly message: string }) =>
    `could not ${write}: ${message}`,
  namespaceTerminating: ({ message }: { readonly message: string }) => `nothing can be created any more: ${message}`,
  replicaSetJustChanged: ({ name, change }: { readonly name: string; readonly change: 'created' | 'deleted' }) =>
    `replica set ${name} was just ${change} by someone else`,
  nameTaken: ({ name, collisionCount }: { readonly name: string; readonly collisionCount: number }) =>
    `the name ${name} is taken, so the hash is varied by collision count ${collisionCount}`,
};

/** What is waited for, without the word `waits`: `until …`, `for …`, `to …`. */
const deploymentWaits = {
  otherSelector: () => 'for another selector',
  resume: () => 'to be resumed',
  otherTemplate: () => 'for another template',
  /** Not a wait for an event: the rollout times out after so many milliseconds without progress. */
  progressDeadline: ({ leftMs }: { readonly leftMs: number }) =>
    `times out in ${Math.ceil(leftMs / 1000)} s unless it progresses`,
  roomForNewReplicaSet: ({ name }: { readonly name: string }) => `for room to scale up new replica set ${name}`,
  observed: ({
    name,
    generation,
    observed,
  }: {
    readonly name: string;
    readonly generation: number;
    readonly observed: number;
  }) => `until replica set ${name} has observed its generation ${generation} (so far ${observed})`,
  observedNoPods: ({ name }: { readonly name: string }) =>
    `until old replica set ${name} has observed that it gets no pods`,
  moreReplicasThan: ({ floor }: { readonly floor: number }) => `until there are more than ${floor} replicas`,
  newAvailable: ({
    name,
    needed,
    available,
  }: {
    readonly name: string;
    readonly needed: number;
    readonly available: number;
  }) => `until new replica set ${name} has ${needed} available (now ${available})`,
  allNewAvailable: ({
    name,
    desired,
    available,
    readyOnly,
    minReadySeconds,
  }: {
    readonly name: string;
    readonly desired: number;
    readonly available: number /** Ready pods that count as available after `minReadySeconds`. */;
    readonly readyOnly: number;
    readonly minReadySeconds: number;
  }) => {
    const soon =
      readyOnly > 0 && minReadySeconds > 0 ? `; ${readyOnly} more are ready, and count after ${minReadySeconds} s` : '';
    return `until new replica set ${name} has all ${desired} available (now ${available}${soon})`;
  },
  availablePods: ({ needed, available }: { readonly needed: number; readonly available: number }) =>
    `until ${needed} pods are available (now ${available})`,
  oldPodsDeleted: ({ name, pods }: { readonly name: string; readonly pods: number }) =>
    `until old replica set ${name} has deleted ${pods} pods`,
  recreatePodsDeleted: ({ name, pods }: { readonly name: string; readonly pods: number }) =>
    `for ${pods} pods of old replica set ${name} to be deleted`,
  oldPodsGone: ({ pods, example }: { readonly pods: number; readonly example: string }) =>
    `for ${pods} old pods to be gone, ${example} among them`,
  surplusDeleted: ({ name }: { readonly name: string }) => `until ${name} has deleted its surplus pods`,
  otherPodsAtMost: ({
    atMost,
    pods,
    ceiling,
  }: {
    readonly atMost: number;
    readonly pods: number;
    readonly ceiling: Bound;
  }) => `until at most ${atMost} of ${pods} pods of other replica sets are left: ${boundInWords(ceiling)}`,
};

export type Wait = WaitOf<typeof deploymentWaits>;
export type Reason = ReasonOf<typeof deploymentReasons> | Wait;

export const { reasonInWords, waitInWords } = wordsOf(deploymentReasons, deploymentWaits);

/** `maxSurge 25% of 10 rounds up to 3, so at most 13 pods`, or `maxUnavailable …, so at least 8 available`. Pure. */
export function boundInWords({ field, given, replicas, resolved, bound }: Bound): string {
  const isCeiling = field === 'maxSurge';
  const consequence = isCeiling ? `so at most ${bound} pods` : `so at least ${bound} available`;
  if (typeof given === 'string') {
    return `${field} ${given} of ${replicas} rounds ${isCeiling ? 'up' : 'down'} to ${resolved}, ${consequence}`;
  }
  return given === resolved
    ? `${field} is ${given}, ${consequence}`
    : `${field} ${given} counts as ${resolved}, ${consequence}`;
}
