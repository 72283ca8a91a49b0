import { formatTime } from '../ports/Clock.ts';
import type { Bound, Reason, Wait } from './Reason.ts';

type Because = Exclude<Reason, Wait>;

/** Why a daemon's pod goes, by the names of `DeleteCause`. */
const DELETE_CAUSES: Readonly<Record<string, string>> = {
  failed: 'that have failed',
  succeeded: 'that have succeeded',
  misplaced: 'on nodes that must not have one',
  excess: 'beside another one of their node',
  outdated: 'that a new one has replaced',
  outdatedUnavailable: 'that are old and not ready, beside a new one',
};

/** A phrase for each reason: it begins with a lower case letter and has no full stop. */
const REASONS: { readonly [Name in Because['reason']]: (because: Extract<Because, { reason: Name }>) => string } = {
  gone: () => 'the deployment is gone',
  beingDeleted: () => 'it is being deleted, so only its status is kept up to date',
  emptySelector: () => 'its selector is empty, so nothing is done',
  pausedOrResumed: () => 'it was paused or resumed, so the clock of its rollout stops or starts again',
  paused: () => 'it is paused: it is scaled, but not rolled out',
  foundNewReplicaSet: () => 'its new replica set exists already, so the clock of its rollout starts now',
  complete: () => 'the rollout is complete',
  rollback: ({ message }) => message,
  templateChangedSinceGivenUp: () => 'the template was changed since it was given up on, so it is tried',
  templateGivenUp: () => 'this template was given up on and has not changed since, so it is not tried again',
  noReplicaSetWithTemplate: ({ name }) => `no replica set has this template, so ${name} is created`,
  startsWithNoneForRollback: () => 'a rollback is asked for, so it starts with 0 replicas',
  startsWithAll: () => 'no old pod is left, so it gets all replicas at once',
  newReplicaSetTooLarge: ({ name, replicas, desired }) =>
    `new replica set ${name} has ${replicas} replicas where ${desired} are wanted`,
  roomBelowCeiling: ({ ceiling, pods }) => {
    const room = ceiling.bound - pods;
    const allowance = room > 0 ? `${room} may be added` : 'none may be added';
    return `${boundInWords(ceiling)}; ${ceiling.bound} - ${pods} = ${room}: ${allowance}`;
  },
  spareAboveFloor: ({ floor, replicas, newUnavailable }) => {
    const spare = replicas - floor.bound - newUnavailable;
    return `${boundInWords(floor)}; ${replicas} - ${floor.bound} - ${newUnavailable} new unavailable = ${spare} old may go`;
  },
  unhealthyFirst: ({ name, removed, unhealthy }) => `${removed} of ${unhealthy} unhealthy replicas of ${name} go first`,
  availableAboveFloor: ({ available, floor }) =>
    `${available} available - ${floor} = ${available - floor} more than must stay`,
  recreateRemovesOldFirst: () => 'Recreate removes all old pods before it creates new ones',
  recreateCreatesAll: ({ desired }) => `no old pod is left, so the new replica set gets all ${desired} replicas`,
  onlyReplicaSetToScale: ({ name, replicas }) =>
    `${name} is the only replica set to scale, so it gets all ${replicas} replicas`,
  newReplicaSetSaturated: () => 'the new replica set has all replicas available, so the old ones are scaled to 0',
  scaledByShares: ({ total, allowed, sizes }) => {
    const changes = sizes.map(({ name, from, to }) => `${name} ${from} -> ${to}`).join(', ');
    return `in the middle of a rollout all replica sets are scaled by their shares, ${total} -> ${allowed}: ${changes}`;
  },
  writeConflict: ({ write, message }) => `could not ${write}: ${message}`,
  namespaceTerminating: ({ message }) => `nothing can be created any more: ${message}`,
  replicaSetJustChanged: ({ name, change }) => `replica set ${name} was just ${change} by someone else`,
  nameTaken: ({ name, collisionCount }) =>
    `the name ${name} is taken, so the hash is varied by collision count ${collisionCount}`,
  ownerIsGone: ({ name, namespace }) => `${namespace}/${name} is gone`,
  plannedPodsBurned: () => 'the names of the pods that it was about to create were burned',
  ownerIsBeingDeleted: () => 'it is being deleted, so only its status is kept up to date',
  enoughReplicas: ({ desired }) => `it has the ${desired} pods that it wants`,
  tooFewReplicas: ({ desired, active, creates }) => `it wants ${desired} pods and has ${active}: create ${creates}`,
  tooManyReplicas: ({ desired, active, deletes }) => `it wants ${desired} pods and has ${active}: delete ${deletes}`,
  intentSettled: ({ creates, burns, deletes }) =>
    `an earlier sync was interrupted: create ${creates} of the pods that it had named, burn ${burns} names, finish ${deletes} deletes`,
  moreSteps: () => 'it has more steps to take',
  waitsForChange: () => 'there is nothing to do until it changes',
  waitsForScheduler: () => 'it waits for a scheduler to find a node',
  scheduled: ({ binds, waits }) => `pods that got a node: ${binds}; pods that wait for one: ${waits}`,
  heldForPlainPods: ({ held }) =>
    `pods that keep others away wait until nobody binds pods without looking at them: ${held}`,
  morePods: ({ left }) => `the next sync decides about the other pods: ${left}`,
  leftToKubelet: ({ nodeName }) => `it is left to the kubelet of node ${nodeName}`,
  waitsForObjects: ({ delayMs }) => `it waits for objects that are missing, and is tried again in ${delayMs} ms`,
  waitsForContainers: ({ delayMs }) => `its containers change by themselves in ${delayMs} ms`,
  notACollectorKey: ({ name }) => `the key ${name} names no object`,
  restFollows: () => 'its time is over; the next sync does the rest',
  deletionIsNotOurs: () => 'it is being deleted, and its deletion does not wait for the garbage collector',
  goneWithDependents: ({ dependents }) => `it is gone; dependents left: ${dependents}`,
  isBeingDeleted: () => 'it is being deleted already',
  noOwners: () => 'it names no owner',
  ownersExist: ({ solid }) => `all of its owners exist: ${solid}`,
  someOwnersUnwanted: ({ unwanted, solid }) =>
    `owners that are gone or wait for it: ${unwanted}; owners that keep it: ${solid}`,
  ownerWaitsAndDependentsGoFirst: () => 'its owner waits for it, and it waits for its own dependents',
  ownerWaits: () => 'its owner waits for it to be deleted',
  ownersAreGone: () => 'all of its owners are gone',
  orphanedByOwner: () => 'its owner orphans it',
  noBlockingDependents: () => 'no dependent blocks its deletion any more',
  waitsForDependents: ({ blocking }) => `dependents that block its deletion: ${blocking}`,
  finalizerDone: ({ finalizer }) => `the finalizer ${finalizer} has done its work`,
  isGoneAlready: () => 'it is gone already',
  isGone: () => 'it is gone',
  isNotBeingDeleted: () => 'it is not being deleted',
  isFinalizedAlready: () => 'it is finalized already',
  waitsForRequests: ({ delayMs }) => `it is empty; requests that saw it active may write for another ${delayMs} ms`,
  changedMeanwhile: () => 'it has changed since it was read',
  contentRemains: ({ message }) => message,
  isEmptyForGood: () => 'it is empty, and nothing can be created in it any more',
  serviceHasNoSelector: () => 'the service selects no pods, so its endpoints are somebody else\u2019s',
  endpointsAreRight: () => 'the endpoints match the pods',
  endpointsChanged: () => 'the endpoints follow the pods',
  disruptionsAllowed: ({ healthy, desired, expected, allowed }) =>
    `${healthy} of ${expected} pods are healthy and ${desired} must be: ${allowed} may be evicted`,
  disruptionsUnknown: ({ message }) => `none may be evicted, because the budget cannot be computed: ${message}`,
  podIsNoTarget: () => 'the pod is gone, is being deleted, has ended, or is no target of a disruption',
  targetMayGoYet: ({ delayMs }) => `the pod is the target of a disruption, and has ${delayMs} ms more to be deleted`,
  targetStays: () => 'the pod was the target of a disruption, and nobody has deleted it',
  namespaceIsNotActive: () => 'the namespace is not active',
  protectionIsRight: () => 'it is protected, or free to go',
  isProtectedNow: () => 'it was not protected while it is used',
  isUsedBy: ({ name }) => `it stays: ${name} uses it`,
  isUsedByNobody: () => 'nobody uses it any more',
  jobHasEnded: ({ condition }) => `it has ended: ${condition}`,
  jobIsManagedBy: ({ controller }) => `it is left to the controller ${controller}, as its managedBy says`,
  jobEnds: ({ condition, because, pods }) =>
    `it ends (${condition}: ${because}), so its ${pods} active pods are deleted`,
  jobIsSuspended: ({ pods }) => `it is suspended, so its ${pods} active pods are deleted`,
  tooManyJobPods: ({ wanted, active, deletes }) =>
    `it wants ${wanted} active pods and has ${active}: delete ${deletes}`,
  tooFewJobPods: ({ wanted, active, creates }) => `it wants ${wanted} active pods and has ${active}: create ${creates}`,
  enoughJobPods: ({ wanted, active, terminating }) =>
    `it wants ${wanted} active pods and has ${active}${terminating > 0 ? `, and replaces ${terminating} that are terminating when they have ended` : ''}`,
  jobBacksOff: ({ failures, delayMs }) =>
    failures === undefined
      ? `each failed index waits before its next pod, the first for ${delayMs} ms more`
      : `the next pod waits for ${delayMs} ms more after ${failures} failures in a row`,
  podsCounted: ({ pods }) => `${pods} pods that have ended are counted`,
  jobWaitsForPods: ({ condition, terminating }) =>
    `it becomes ${condition} when all pods are counted and the ${terminating} terminating ones are gone`,
  orphanPodReleased: ({ name }) => `no job counts pod ${name} any more, so it loses its finalizer`,
  podIsNoOrphan: () => 'the pod is gone, is not tracked, or is counted by its job',
  jobStays: () => 'it has not ended, has no time to live, or is being deleted',
  jobHasExpired: () => 'its time to live is over, so it is deleted with its pods',
  cronJobIsBeingDeleted: () => 'it is being deleted, so it starts no run',
  cronJobIsSuspended: () => 'it is suspended, so it starts no run',
  timeZoneIsUnknown: ({ timeZone }) => `it starts no run, because the time zone ${timeZone} is unknown`,
  scheduleIsInvalid: ({ message }) => `it starts no run, because its schedule is invalid: ${message}`,
  noRunIsDue: () => 'no run is due',
  runIsTooLate: ({ runMs, deadlineSeconds }) =>
    `the run of ${formatTime(runMs)} is not started, because its startingDeadlineSeconds of ${deadlineSeconds} are over`,
  runHasStarted: ({ runMs }) => `the run of ${formatTime(runMs)} has been started already`,
  runIsOfOtherSchedule: ({ runMs }) =>
    `the run of ${formatTime(runMs)} is not started, because the schedule has changed since`,
  runIsForbidden: ({ runMs, active }) =>
    `the run of ${formatTime(runMs)} is not started: the concurrency policy is Forbid, and these jobs are active: ${active.join(', ')}`,
  runStarts: ({ runMs, name, replaces }) =>
    `the run of ${formatTime(runMs)} starts: create job ${name}${replaces.length > 0 ? ` in place of ${replaces.join(', ')}` : ''}`,
  runNameIsTaken: ({ name }) => `another job has the name ${name}, so this run is not started`,
  claimNeedsNothing: () => 'the claim is bound, or it is being deleted',
  claimIsLeftToProvisioner: ({ provisioner }) => `the volume of the claim is made by ${provisioner}`,
  claimFindsNoVolume: () => 'no volume suits the claim, and nobody makes one for it',
  claimWaitsForVolume: ({ volume }) => `the claim waits for volume ${volume}, which is not there or not for this claim`,
  claimWaitsForConsumer: () => 'the claim waits for a pod: its volume is made once a node is chosen for the pod',
  claimIsOnOtherNode: ({ nodeName }) =>
    `the pod of the claim is to run on ${nodeName}, which is not simulated: its volume is not made here`,
  claimIsBound: ({ volume }) => `the claim has got its volume, ${volume}`,
  claimIsLost: () => 'the volume that the claim had is gone, or it is the volume of another claim',
  volumeIsFree: () => 'no claim has the volume',
  volumeIsBound: ({ claim }) => `the volume is that of claim ${claim}`,
  volumeIsUnbound: ({ claim }) => `claim ${claim}, for which the volume was reserved, has another one`,
  volumeIsLeftToDriver: () => 'the claim of the volume is gone, and the driver of the volume has to delete it',
  volumeCannotBeReclaimed: ({ message }) =>
    `the claim of the volume is gone, but the volume cannot be reclaimed: ${message}`,
  volumeIsKept: () => 'the claim of the volume is gone, and the volume is kept: its reclaim policy is not Delete',
  volumeGoesWithClaim: ({ claim }) => `the claim ${claim} is gone, so its volume is deleted`,
  setIsRight: ({ replicas }) => `it has the ${replicas} pods that it wants, as it wants them`,
  storesRevision: ({ name, number }) => `its template is new: store it as revision ${number}, ${name}`,
  returnsToRevision: ({ name, number }) => `its template is that of ${name} again, which becomes revision ${number}`,
  createsPod: ({ name, revision }) => `pod ${name} is missing: create it with revision ${revision}`,
  recreatesEndedPod: ({ name, phase }) =>
    `pod ${name} has ended (${phase}): delete it, so that it can be created again`,
  repairsPod: ({ name }) => `pod ${name} lost a part of its identity or of its storage, which it gets again`,
  repairsClaims: ({ name }) => `the claims of pod ${name} are missing or have other owners than the set wants`,
  scalesDown: ({ name, replicas }) => `it wants ${replicas} pods: delete ${name}`,
  updatesPods: ({ names, revision, unavailable, maxUnavailable }) =>
    `${unavailable} pods are unavailable and ${maxUnavailable} may be: delete ${names.join(', ')}, to be created with revision ${revision}`,
  updatesOnDelete: ({ pods }) =>
    `its update strategy is OnDelete: pods with an old revision stay until somebody deletes them (now ${pods})`,
  partitionKeepsOld: ({ pods, partition }) =>
    `its partition is ${partition}: the pods below it keep their old revision (now ${pods})`,
  lateRequestsStopped: ({ names }) =>
    `an earlier sync was interrupted, so that requests about ${names.join(', ')} might come late: they are made void`,
  lateCreateBurned: ({ name }) => `an earlier sync asked for job ${name}, which must not come any more`,
  daemonSetIsBeingDeleted: () => 'it is being deleted, so its pods are left to the garbage collector',
  daemonPodsManaged: ({ creates, deletes }) => {
    const gone = Object.entries(deletes).map(([cause, pods]) => `${pods} ${DELETE_CAUSES[cause] ?? cause}`);
    const missing = creates > 0 ? [`${creates} nodes need a pod`] : [];
    return [...missing, ...(gone.length > 0 ? [`pods are deleted: ${gone.join(', ')}`] : [])].join('; ');
  },
  daemonPodsUpdate: ({ outdated, maxSurge, maxUnavailable, pending, creates, deletes }) => {
    const bound =
      maxSurge > 0
        ? `maxSurge allows ${maxSurge} new pods beside old ones that are available, and ${pending} are not available yet`
        : `maxUnavailable allows ${maxUnavailable} nodes without an available pod, and there are ${pending}`;
    return `${outdated} old pods are to be replaced; ${bound}: create ${creates}, delete ${deletes}`;
  },
  daemonPodsAreThere: ({ desired }) => `each of the ${desired} nodes that fit has its pod`,
  outdatedDaemonPodsStay: ({ outdated }) =>
    `${outdated} old pods stay until somebody deletes them, because the update strategy is OnDelete`,
  failedDaemonPodStays: ({ delayMs }) =>
    `a failed pod stays for ${delayMs} ms more, because the one before it on its node failed as well`,
  scaleIsUnknown: ({ message }) => `it changes nothing, because the scale of its target cannot be read: ${message}`,
  scalingIsDisabled: () => 'it changes nothing, because its target has 0 replicas, which switches it off',
  replicasOutOfBounds: ({ replicas, min, max }) =>
    `its target has ${replicas} replicas, which is outside of its bounds, ${min} to ${max}`,
  podsAreUnknown: ({ message }) => `it changes nothing, because it cannot tell which pods it scales: ${message}`,
  metricIsUnknown: ({ message }) => `a metric is not known: ${message}`,
  metricsAreUnknown: ({ message }) => `it changes nothing: ${message}`,
  metricAsksFor: arithmeticInWords,
  isStabilized: ({ desired, stabilized }) =>
    `the metrics ask for ${desired} replicas; recent recommendations allow ${stabilized}`,
  isLimited: ({ message, replicas }) => `${message}, so it is ${replicas}`,
  replicasStay: ({ replicas }) => `the ${replicas} replicas stay`,
  rescales: ({ from, to }) => `the replicas change from ${from} to ${to}`,
  namespaceIsEquipped: () => 'an active namespace has a service account and the root CA',
  definitionIsRight: () => 'its names and conditions are right',
  waitsToBeEstablished: ({ delayMs }) =>
    `its names are accepted; it is established in ${delayMs} ms, when all processes know it`,
  customObjectsRemain: ({ objects }) => `${objects} of its objects were still there`,
  definitionWaitsForRequests: ({ delayMs }) =>
    `it has no objects; requests that saw it served may write for another ${delayMs} ms`,
  definitionIsEmpty: () => 'it has no objects, and none can be created any more',
  policyIsChecked: () => 'its expressions have been checked since its spec changed',
  policyIsCheckedNow: ({ warnings }) => `its expressions are checked; those that do not fit the types: ${warnings}`,
  requestIsDecided: () => 'somebody has approved or denied it',
  requestIsNotRecognized: () => 'it is for a person to approve or deny it',
  requestIsApproved: () => 'a kubelet asks for its client certificate, and may have it',
  requestNeedsNoCertificate: () => 'it is not approved, or has its certificate, or is for another signer',
  certificateIsIssued: () => 'it is approved, and follows the rules of its signer',
  certificateIsRefused: () => 'it breaks the rules of its signer',
  requestStays: () => 'it is approved and has no certificate yet, so it stays',
  requestHasExpired: () => 'it was settled long ago, or nobody has decided about it for a day',
  tokenStays: () => 'it is no bootstrap token that ends, or has just changed',
  tokenHasExpired: () => 'the bootstrap token has ended',
  clusterInfoIsSigned: () => 'each bootstrap token for signing has signed it',
  expires: ({ delayMs }) => `it is deleted in ${delayMs} ms`,
  renewsLeases: ({ renewed, nodes }) => `${renewed} of ${nodes} simulated nodes show that they are alive`,
  nodeIsReady: () => 'it is ready',
  nodeIsNotReady: () => 'it is not ready',
  evictsNoPods: () => 'it has no taint that evicts pods',
  taintsGetTimes: () => 'its taints have got the time from which the pods are given',
  evictsPods: ({ evicted }) => `its taints evicted ${evicted} pods`,
  collectsPods: ({ collected }) => `${collected} pods were removed that nobody else could remove`,
  quotaIsRight: () => 'its charges match the objects that exist',
  quotaUsed: ({ used }) => `it has ${JSON.stringify(used)} in use`,
  quotaChargedMeanwhile: () => 'it was charged since it was read',
};

/** What is waited for, without the word `waits`: `until …`, `for …`, `to …`. */
const WAITS: { readonly [Name in Wait['wait']]: (wait: Extract<Wait, { wait: Name }>) => string } = {
  otherSelector: () => 'for another selector',
  resume: () => 'to be resumed',
  otherTemplate: () => 'for another template',
  progressDeadline: ({ leftMs }) => `times out in ${Math.ceil(leftMs / 1000)} s unless it progresses`,
  roomForNewReplicaSet: ({ name }) => `for room to scale up new replica set ${name}`,
  observed: ({ name, generation, observed }) =>
    `until replica set ${name} has observed its generation ${generation} (so far ${observed})`,
  observedNoPods: ({ name }) => `until old replica set ${name} has observed that it gets no pods`,
  moreReplicasThan: ({ floor }) => `until there are more than ${floor} replicas`,
  newAvailable: ({ name, needed, available }) =>
    `until new replica set ${name} has ${needed} available (now ${available})`,
  allNewAvailable: ({ name, desired, available, readyOnly, minReadySeconds }) => {
    const soon =
      readyOnly > 0 && minReadySeconds > 0 ? `; ${readyOnly} more are ready, and count after ${minReadySeconds} s` : '';
    return `until new replica set ${name} has all ${desired} available (now ${available}${soon})`;
  },
  availablePods: ({ needed, available }) => `until ${needed} pods are available (now ${available})`,
  oldPodsDeleted: ({ name, pods }) => `until old replica set ${name} has deleted ${pods} pods`,
  recreatePodsDeleted: ({ name, pods }) => `for ${pods} pods of old replica set ${name} to be deleted`,
  oldPodsGone: ({ pods, example }) => `for ${pods} old pods to be gone, ${example} among them`,
  surplusDeleted: ({ name }) => `until ${name} has deleted its surplus pods`,
  podGone: ({ name }) => `until pod ${name}, which is being deleted, is gone`,
  podReady: ({ name }) => `until pod ${name} is running and ready`,
  podAvailable: ({ name, minReadySeconds }) =>
    `until pod ${name} is available: it must be ready for ${minReadySeconds} s`,
  podAvailableBeforeScaleDown: ({ name, pod }) => `until pod ${name} is available, before ${pod} is deleted`,
  updateBudget: ({ name, unavailable, maxUnavailable }) =>
    `for fewer unavailable pods than ${maxUnavailable} before ${name} is updated (now ${unavailable})`,
  staleClaimGone: ({ name, claim }) => `until claim ${claim} of an earlier pod ${name} is gone`,
  nameFree: ({ name }) => `until the other pod with the name ${name} is gone`,
  otherPodsAtMost: ({ atMost, pods, ceiling }) =>
    `until at most ${atMost} of ${pods} pods of other replica sets are left: ${boundInWords(ceiling)}`,
};

/** Words a reason, or a wait with the word `waits`, for the log and for `explain`. Pure. */
export function reasonInWords(reason: Reason): string {
  if (!('wait' in reason)) return (REASONS[reason.reason] as (because: Because) => string)(reason);
  return reason.wait === 'progressDeadline' ? waitInWords(reason) : `waits ${waitInWords(reason)}`;
}

/** What is waited for, as `explain` lists it: `until new replica set web-5d9c has 3 available (now 1)`. Pure. */
export function waitInWords(wait: Wait): string {
  return (WAITS[wait.wait] as (wait: Wait) => string)(wait);
}

/** `cpu resource utilization (percentage of request): 75% is 1.5 times the wanted 50%; 1.5 × 3 pods = 4.5, so it asks for 5`. */
function arithmeticInWords(because: Extract<Because, { reason: 'metricAsksFor' }>): string {
  const { name, measured, target, replicas, arithmetic } = because;
  const { ratio, filledRatio, unready, missing, kept, counted } = arithmetic;
  const result = kept === undefined ? `so it asks for ${replicas}` : `so it asks for the ${replicas} that there are`;
  const used = filledRatio ?? ratio;
  const product = counted === undefined ? [] : [`${inWords(used)} × ${counted} pods = ${inWords(used * counted)}`];
  const steps = [
    ...(filledRatio === undefined
      ? []
      : [
          `with the pods whose values do not count yet (${unready} not ready, ${missing} not measured) ${inWords(filledRatio)} times`,
        ]),
    ...(kept === 'tolerance' ? ['that is within the tolerance'] : []),
    ...(kept === 'direction' ? ['that would turn the change round'] : []),
    ...(kept === undefined ? product : []),
  ];
  return `${name}: ${measured} is ${inWords(ratio)} times the wanted ${target}${steps.map((step) => `; ${step}`).join('')}, ${result}`;
}

/** At most three digits after the point. */
function inWords(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}

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
