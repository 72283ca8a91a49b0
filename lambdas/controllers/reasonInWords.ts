/** Why a sync of a ReplicaSet or a ReplicationController did what it did. */
type ReplicasReason =
  | { readonly reason: 'ownerIsGone'; readonly namespace: string; readonly name: string }
  | { readonly reason: 'plannedPodsBurned' }
  | { readonly reason: 'ownerIsBeingDeleted' }
  | { readonly reason: 'enoughReplicas'; readonly desired: number }
  | { readonly reason: 'tooFewReplicas'; readonly desired: number; readonly active: number; readonly creates: number }
  | { readonly reason: 'tooManyReplicas'; readonly desired: number; readonly active: number; readonly deletes: number }
  | { readonly reason: 'intentSettled'; readonly creates: number; readonly burns: number; readonly deletes: number };

type PodReason =
  | { readonly reason: 'moreSteps' }
  | { readonly reason: 'waitsForChange' }
  | { readonly reason: 'waitsForContainers'; readonly delayMs: number };

type GarbageCollectorReason =
  | { readonly reason: 'notACollectorKey'; readonly name: string }
  | { readonly reason: 'restFollows' }
  | { readonly reason: 'deletionIsNotOurs' }
  | { readonly reason: 'goneWithDependents'; readonly dependents: number }
  | { readonly reason: 'isBeingDeleted' }
  | { readonly reason: 'noOwners' }
  | { readonly reason: 'ownersExist'; readonly solid: number }
  | { readonly reason: 'someOwnersUnwanted'; readonly unwanted: number; readonly solid: number }
  | { readonly reason: 'ownerWaitsAndDependentsGoFirst' }
  | { readonly reason: 'ownerWaits' }
  | { readonly reason: 'ownersAreGone' }
  | { readonly reason: 'orphanedByOwner' }
  | { readonly reason: 'noBlockingDependents' }
  | { readonly reason: 'waitsForDependents'; readonly blocking: number }
  | { readonly reason: 'finalizerDone'; readonly finalizer: string }
  | { readonly reason: 'isGoneAlready' };

type NamespaceReason =
  | { readonly reason: 'isGone' }
  | { readonly reason: 'isNotBeingDeleted' }
  | { readonly reason: 'isFinalizedAlready' }
  | { readonly reason: 'waitsForRequests'; readonly delayMs: number }
  | { readonly reason: 'changedMeanwhile' }
  /** In Kubernetes' words, from the namespace's conditions. */
  | { readonly reason: 'contentRemains'; readonly message: string }
  | { readonly reason: 'isEmptyForGood' };

type OtherReason =
  | { readonly reason: 'namespaceIsNotActive' }
  | { readonly reason: 'namespaceIsEquipped' }
  | { readonly reason: 'quotaIsRight' }
  | { readonly reason: 'quotaUsed'; readonly used: unknown }
  | { readonly reason: 'quotaChargedMeanwhile' };

/** Why a sync did what it did, and what it waits for: data, so that only `reasonInWords` has words for it. */
export type Reason = ReplicasReason | PodReason | GarbageCollectorReason | NamespaceReason | OtherReason;

/** Words a reason for the log and for `explain`. All controllers but the Deployment's report in these words. */
export function reasonInWords(reason: Reason): string {
  switch (reason.reason) {
    case 'ownerIsGone':
      return `${reason.namespace}/${reason.name} is gone.`;
    case 'plannedPodsBurned':
      return 'The pods that it was about to create were burned.';
    case 'ownerIsBeingDeleted':
      return 'It is being deleted: only its status is kept.';
    case 'enoughReplicas':
      return `It has the ${reason.desired} pods that it wants.`;
    case 'tooFewReplicas':
      return `It wants ${reason.desired} pods and has ${reason.active}: create ${reason.creates}.`;
    case 'tooManyReplicas':
      return `It wants ${reason.desired} pods and has ${reason.active}: delete ${reason.deletes}.`;
    case 'intentSettled':
      return `An earlier sync was interrupted: create ${reason.creates} of the pods that it had named, burn ${reason.burns} names, finish ${reason.deletes} deletes.`;
    case 'moreSteps':
      return 'It has more steps to take.';
    case 'waitsForChange':
      return 'Nothing is to be done until it changes.';
    case 'waitsForContainers':
      return `Its containers change by themselves in ${reason.delayMs} ms.`;
    case 'notACollectorKey':
      return `No object is meant by ${reason.name}.`;
    case 'restFollows':
      return 'Time was up; the rest follows.';
    case 'deletionIsNotOurs':
      return 'It is being deleted, and nothing of that is ours.';
    case 'goneWithDependents':
      return `It is gone and left ${reason.dependents} dependent(s).`;
    case 'isBeingDeleted':
      return 'It is being deleted already.';
    case 'noOwners':
      return 'It names no owner.';
    case 'ownersExist':
      return `It has ${reason.solid} owner(s), and all of them exist.`;
    case 'someOwnersUnwanted':
      return `${reason.unwanted} of its owners are gone or wait for it; ${reason.solid} still want(s) it.`;
    case 'ownerWaitsAndDependentsGoFirst':
      return 'Its owner waits for it, and it has dependents of its own: it goes after them.';
    case 'ownerWaits':
      return 'Its owner waits for it to go.';
    case 'ownersAreGone':
      return 'All of its owners are gone.';
    case 'orphanedByOwner':
      return 'Its owner orphans it.';
    case 'noBlockingDependents':
      return 'No dependent blocks its deletion any more.';
    case 'waitsForDependents':
      return `It waits for ${reason.blocking} dependent(s) to go.`;
    case 'finalizerDone':
      return `The finalizer ${reason.finalizer} has done its work.`;
    case 'isGoneAlready':
      return 'It is gone already.';
    case 'isGone':
      return 'It is gone.';
    case 'isNotBeingDeleted':
      return 'It is not being deleted.';
    case 'isFinalizedAlready':
      return 'It is finalized already.';
    case 'waitsForRequests':
      return `It is empty; requests that saw it active may write for another ${reason.delayMs} ms.`;
    case 'changedMeanwhile':
      return 'It changed meanwhile.';
    case 'contentRemains':
      return reason.message;
    case 'isEmptyForGood':
      return 'It is empty, and nothing can come in any more.';
    case 'namespaceIsNotActive':
      return 'The namespace is not active.';
    case 'namespaceIsEquipped':
      return 'An active namespace has a service account and the root CA.';
    case 'quotaIsRight':
      return 'What is charged is what is there.';
    case 'quotaUsed':
      return `It has ${JSON.stringify(reason.used)} in use.`;
    case 'quotaChargedMeanwhile':
      return 'It was charged meanwhile.';
    default:
      return reason satisfies never;
  }
}
