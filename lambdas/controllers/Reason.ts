import type { Arithmetic } from './podautoscaler/calculateReplicas.ts';
import type { StorageReason } from './persistentvolume/StorageReason.ts';
import type { StatefulSetReason, StatefulSetWait } from './statefulset/StatefulSetReason.ts';

/**
 * What a sync reports about itself, as data: why it did what it did (`Reason`), and what must happen before it goes on (`Wait`). `reasonInWords` is the only place that
 * words them, for log lines and for `explain`. Each member carries the numbers that its sentence needs.
 */
export type Reason =
  | DeploymentReason
  | Wait
  | ReplicasReason
  | PodReason
  | GarbageCollectorReason
  | NamespaceReason
  | DefinitionReason
  | EndpointReason
  | DisruptionReason
  | ProtectionReason
  | NodeReason
  | JobReason
  | CronJobReason
  | DaemonSetReason
  | AutoscalerReason
  | Exclude<StatefulSetReason, StatefulSetWait>
  | StorageReason
  | CertificateReason
  | OtherReason;

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

type DeploymentReason =
  /** The object was deleted before this sync. */
  | { readonly reason: 'gone' }
  | { readonly reason: 'beingDeleted' }
  | { readonly reason: 'emptySelector' }
  /** The Progressing condition has to be changed because of a pause or of its end. */
  | { readonly reason: 'pausedOrResumed' }
  | { readonly reason: 'paused' }
  /** A ReplicaSet with the current template exists, and its rollout has no clock yet. */
  | { readonly reason: 'foundNewReplicaSet' }
  | { readonly reason: 'complete' }
  /** The message of the event about a rollback, on request or automatic. */
  | { readonly reason: 'rollback'; readonly message: string }
  | { readonly reason: 'templateChangedSinceGivenUp' }
  | { readonly reason: 'templateGivenUp' }
  | CreationReason
  | RollingReason
  | ScalingReason
  | CommitReason;

/** Why the new ReplicaSet is created, and why with so many replicas. */
type CreationReason =
  | { readonly reason: 'noReplicaSetWithTemplate'; readonly name: string }
  | { readonly reason: 'startsWithNoneForRollback' }
  | { readonly reason: 'startsWithAll' };

/** The arithmetic of rolling updates and of Recreate. */
type RollingReason =
  | {
      readonly reason: 'newReplicaSetTooLarge';
      readonly name: string;
      readonly replicas: number;
      readonly desired: number;
    }
  | { readonly reason: 'roomBelowCeiling'; readonly ceiling: Bound; readonly pods: number }
  | {
      readonly reason: 'spareAboveFloor';
      readonly floor: Bound;
      readonly replicas: number;
      readonly newUnavailable: number;
    }
  | { readonly reason: 'unhealthyFirst'; readonly name: string; readonly removed: number; readonly unhealthy: number }
  | { readonly reason: 'availableAboveFloor'; readonly available: number; readonly floor: number }
  | { readonly reason: 'recreateRemovesOldFirst' }
  | { readonly reason: 'recreateCreatesAll'; readonly desired: number };

type ScalingReason =
  | { readonly reason: 'onlyReplicaSetToScale'; readonly name: string; readonly replicas: number }
  | { readonly reason: 'newReplicaSetSaturated' }
  | {
      readonly reason: 'scaledByShares';
      readonly total: number;
      readonly allowed: number;
      readonly sizes: readonly { readonly name: string; readonly from: number; readonly to: number }[];
    };

/** What was learned while writing. */
type CommitReason =
  | { readonly reason: 'writeConflict'; readonly write: string; readonly message: string }
  | { readonly reason: 'namespaceTerminating'; readonly message: string }
  | { readonly reason: 'replicaSetJustChanged'; readonly name: string; readonly change: 'created' | 'deleted' }
  | { readonly reason: 'nameTaken'; readonly name: string; readonly collisionCount: number };

export type Wait =
  | StatefulSetWait
  | { readonly wait: 'otherSelector' }
  | { readonly wait: 'resume' }
  | { readonly wait: 'otherTemplate' }
  /** Not a wait for an event: the rollout times out after so many milliseconds without progress. */
  | { readonly wait: 'progressDeadline'; readonly leftMs: number }
  | { readonly wait: 'roomForNewReplicaSet'; readonly name: string }
  | { readonly wait: 'observed'; readonly name: string; readonly generation: number; readonly observed: number }
  | { readonly wait: 'observedNoPods'; readonly name: string }
  | { readonly wait: 'moreReplicasThan'; readonly floor: number }
  | { readonly wait: 'newAvailable'; readonly name: string; readonly needed: number; readonly available: number }
  | {
      readonly wait: 'allNewAvailable';
      readonly name: string;
      readonly desired: number;
      readonly available: number;
      /** Ready pods that count as available after `minReadySeconds`. */
      readonly readyOnly: number;
      readonly minReadySeconds: number;
    }
  | { readonly wait: 'availablePods'; readonly needed: number; readonly available: number }
  | { readonly wait: 'oldPodsDeleted'; readonly name: string; readonly pods: number }
  | { readonly wait: 'recreatePodsDeleted'; readonly name: string; readonly pods: number }
  | { readonly wait: 'oldPodsGone'; readonly pods: number; readonly example: string }
  | { readonly wait: 'surplusDeleted'; readonly name: string }
  | { readonly wait: 'otherPodsAtMost'; readonly atMost: number; readonly pods: number; readonly ceiling: Bound };

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
  /** The pod has no node yet. */
  | { readonly reason: 'waitsForScheduler' }
  | { readonly reason: 'scheduled'; readonly binds: number; readonly waits: number }
  /** Pods with an anti-affinity wait until all processes leave plain pods to the scheduler. */
  | { readonly reason: 'heldForPlainPods'; readonly held: number }
  | { readonly reason: 'morePods'; readonly left: number }
  /** The pod is on a node that is not simulated. */
  | { readonly reason: 'leftToKubelet'; readonly nodeName: string }
  | { readonly reason: 'waitsForContainers'; readonly delayMs: number }
  | { readonly reason: 'waitsForObjects'; readonly delayMs: number };

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

type DefinitionReason =
  | { readonly reason: 'definitionIsRight' }
  | { readonly reason: 'waitsToBeEstablished'; readonly delayMs: number }
  | { readonly reason: 'customObjectsRemain'; readonly objects: number }
  | { readonly reason: 'definitionWaitsForRequests'; readonly delayMs: number }
  | { readonly reason: 'definitionIsEmpty' };

/** Why the endpoints of a service are as they are. */
type EndpointReason =
  | { readonly reason: 'serviceHasNoSelector' }
  | { readonly reason: 'endpointsAreRight' }
  | { readonly reason: 'endpointsChanged' };

/** Why a PodDisruptionBudget allows as many disruptions as it does. */
type DisruptionReason =
  | {
      readonly reason: 'disruptionsAllowed';
      readonly healthy: number;
      readonly desired: number;
      readonly expected: number;
      readonly allowed: number;
    }
  | { readonly reason: 'disruptionsUnknown'; readonly message: string }
  | { readonly reason: 'podIsNoTarget' }
  | { readonly reason: 'targetMayGoYet'; readonly delayMs: number }
  | { readonly reason: 'targetStays' };

/** Why a claim or a volume is held, or not. */
type ProtectionReason =
  | { readonly reason: 'protectionIsRight' }
  | { readonly reason: 'isProtectedNow' }
  | { readonly reason: 'isUsedBy'; readonly name: string }
  | { readonly reason: 'isUsedByNobody' };

/** Why a node is as it is, and what becomes of its pods. */
type NodeReason =
  | { readonly reason: 'nodeIsReady' }
  | { readonly reason: 'nodeIsNotReady' }
  | { readonly reason: 'evictsNoPods' }
  | { readonly reason: 'taintsGetTimes' }
  | { readonly reason: 'evictsPods'; readonly evicted: number }
  | { readonly reason: 'collectsPods'; readonly collected: number };
/** Why a sync of a Job did what it did. */
type JobReason =
  | { readonly reason: 'jobHasEnded'; readonly condition: string }
  | { readonly reason: 'jobIsManagedBy'; readonly controller: string }
  /** `condition` is the interim one, `because` its reason in CamelCase. */
  | { readonly reason: 'jobEnds'; readonly condition: string; readonly because: string; readonly pods: number }
  | { readonly reason: 'jobIsSuspended'; readonly pods: number }
  | { readonly reason: 'tooManyJobPods'; readonly wanted: number; readonly active: number; readonly deletes: number }
  | { readonly reason: 'tooFewJobPods'; readonly wanted: number; readonly active: number; readonly creates: number }
  | { readonly reason: 'enoughJobPods'; readonly wanted: number; readonly active: number; readonly terminating: number }
  /** Without `failures` each index waits by its own. */
  | { readonly reason: 'jobBacksOff'; readonly failures: number | undefined; readonly delayMs: number }
  | { readonly reason: 'podsCounted'; readonly pods: number }
  | { readonly reason: 'jobWaitsForPods'; readonly condition: string; readonly terminating: number }
  | { readonly reason: 'orphanPodReleased'; readonly name: string }
  | { readonly reason: 'podIsNoOrphan' }
  | { readonly reason: 'jobStays' }
  | { readonly reason: 'jobHasExpired' };

/** Why a CronJob starts a run, or none. Times are milliseconds since the epoch. */
export type CronJobReason =
  | { readonly reason: 'cronJobIsBeingDeleted' }
  | { readonly reason: 'cronJobIsSuspended' }
  | { readonly reason: 'timeZoneIsUnknown'; readonly timeZone: string }
  | { readonly reason: 'scheduleIsInvalid'; readonly message: string }
  | { readonly reason: 'noRunIsDue' }
  /** The last run is older than `startingDeadlineSeconds`. */
  | { readonly reason: 'runIsTooLate'; readonly runMs: number; readonly deadlineSeconds: number }
  | { readonly reason: 'runHasStarted'; readonly runMs: number }
  /** Runs before a change of the schedule are not made up for. */
  | { readonly reason: 'runIsOfOtherSchedule'; readonly runMs: number }
  | { readonly reason: 'runIsForbidden'; readonly runMs: number; readonly active: readonly string[] }
  | {
      readonly reason: 'runStarts';
      readonly runMs: number;
      readonly name: string;
      readonly replaces: readonly string[];
    }
  | { readonly reason: 'runNameIsTaken'; readonly name: string }
  | { readonly reason: 'lateCreateBurned'; readonly name: string };

/** What a DaemonSet's pods need. Counts are of pods or of nodes, which is the same except while it surges. */
type DaemonSetReason =
  | { readonly reason: 'daemonSetIsBeingDeleted' }
  | {
      readonly reason: 'daemonPodsManaged';
      readonly creates: number;
      /** How many pods go for each cause. */
      readonly deletes: Readonly<Record<string, number>>;
    }
  | {
      readonly reason: 'daemonPodsUpdate';
      readonly outdated: number;
      readonly maxSurge: number;
      readonly maxUnavailable: number;
      /** Nodes without an available pod or, with a surge, nodes whose new pod is not available yet. */
      readonly pending: number;
      readonly creates: number;
      readonly deletes: number;
    }
  | { readonly reason: 'daemonPodsAreThere'; readonly desired: number }
  /** The strategy is OnDelete. */
  | { readonly reason: 'outdatedDaemonPodsStay'; readonly outdated: number }
  | { readonly reason: 'failedDaemonPodStays'; readonly delayMs: number };

/** Why an autoscaler changes the replicas, or does not. Messages are Kubernetes'. */
export type AutoscalerReason =
  | { readonly reason: 'scaleIsUnknown'; readonly message: string }
  | { readonly reason: 'scalingIsDisabled' }
  | { readonly reason: 'replicasOutOfBounds'; readonly replicas: number; readonly min: number; readonly max: number }
  | { readonly reason: 'podsAreUnknown'; readonly message: string }
  | { readonly reason: 'metricIsUnknown'; readonly message: string }
  | { readonly reason: 'metricsAreUnknown'; readonly message: string }
  | {
      readonly reason: 'metricAsksFor';
      readonly name: string;
      /** As a user reads them: `75%`, `250m`. */
      readonly measured: string;
      readonly target: string;
      readonly replicas: number;
      readonly arithmetic: Arithmetic;
    }
  /** Recent recommendations hold the replicas back. */
  | { readonly reason: 'isStabilized'; readonly desired: number; readonly stabilized: number }
  /** A bound or a rate does. */
  | { readonly reason: 'isLimited'; readonly message: string; readonly replicas: number }
  | { readonly reason: 'replicasStay'; readonly replicas: number }
  | { readonly reason: 'rescales'; readonly from: number; readonly to: number };

/** What became of a request for a certificate, or of a token by which one is asked for. */
type CertificateReason =
  | { readonly reason: 'requestIsDecided' }
  | { readonly reason: 'requestIsNotRecognized' }
  | { readonly reason: 'requestIsApproved' }
  | { readonly reason: 'requestNeedsNoCertificate' }
  | { readonly reason: 'certificateIsIssued' }
  | { readonly reason: 'certificateIsRefused' }
  | { readonly reason: 'requestStays' }
  | { readonly reason: 'requestHasExpired' }
  | { readonly reason: 'tokenStays' }
  | { readonly reason: 'tokenHasExpired' }
  | { readonly reason: 'clusterInfoIsSigned' };

type OtherReason =
  | { readonly reason: 'renewsLeases'; readonly renewed: number; readonly nodes: number }
  /** Of any object that is deleted when its time is over. */
  | { readonly reason: 'expires'; readonly delayMs: number }
  | { readonly reason: 'namespaceIsNotActive' }
  | { readonly reason: 'namespaceIsEquipped' }
  | { readonly reason: 'policyIsChecked' }
  | { readonly reason: 'policyIsCheckedNow'; readonly warnings: number }
  | { readonly reason: 'quotaIsRight' }
  | { readonly reason: 'quotaUsed'; readonly used: unknown }
  | { readonly reason: 'quotaChargedMeanwhile' };
