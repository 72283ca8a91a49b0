/** Why a sync of a StatefulSet does what it does, and what it waits for. */
export type StatefulSetReason =
  | StatefulSetWait
  | { readonly reason: 'ownerIsBeingDeleted' }
  | { readonly reason: 'setIsRight'; readonly replicas: number }
  | { readonly reason: 'storesRevision'; readonly name: string; readonly number: number }
  | { readonly reason: 'returnsToRevision'; readonly name: string; readonly number: number }
  | { readonly reason: 'createsPod'; readonly name: string; readonly revision: string }
  | { readonly reason: 'recreatesEndedPod'; readonly name: string; readonly phase: string }
  | { readonly reason: 'repairsPod'; readonly name: string }
  | { readonly reason: 'repairsClaims'; readonly name: string }
  | { readonly reason: 'scalesDown'; readonly name: string; readonly replicas: number }
  | {
      readonly reason: 'updatesPods';
      readonly names: readonly string[];
      readonly revision: string;
      readonly unavailable: number;
      readonly maxUnavailable: number;
    }
  | { readonly reason: 'updatesOnDelete'; readonly pods: number }
  | { readonly reason: 'partitionKeepsOld'; readonly pods: number; readonly partition: number }
  | { readonly reason: 'lateRequestsStopped'; readonly names: readonly string[] };

export type StatefulSetWait =
  | { readonly wait: 'podGone'; readonly name: string }
  | { readonly wait: 'podReady'; readonly name: string }
  | { readonly wait: 'podAvailable'; readonly name: string; readonly minReadySeconds: number }
  /** `name` comes before `pod` when both are not available. */
  | { readonly wait: 'podAvailableBeforeScaleDown'; readonly name: string; readonly pod: string }
  | {
      readonly wait: 'updateBudget';
      readonly name: string;
      readonly unavailable: number;
      readonly maxUnavailable: number;
    }
  | { readonly wait: 'staleClaimGone'; readonly name: string; readonly claim: string }
  /** Another pod has the name: one of an earlier set, perhaps. */
  | { readonly wait: 'nameFree'; readonly name: string };
