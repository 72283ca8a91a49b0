import { type ReasonOf, type WaitOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a sync of a StatefulSet does what it does. */
export const statefulSetReasons = {
  ...sharedReasons,
  setIsRight: ({ replicas }: { readonly replicas: number }) =>
    `it has the ${replicas} pods that it wants, as it wants them`,
  storesRevision: ({ name, number }: { readonly name: string; readonly number: number }) =>
    `its template is new: store it as revision ${number}, ${name}`,
  returnsToRevision: ({ name, number }: { readonly name: string; readonly number: number }) =>
    `its template is that of ${name} again, which becomes revision ${number}`,
  createsPod: ({ name, revision }: { readonly name: string; readonly revision: string }) =>
    `pod ${name} is missing: create it with revision ${revision}`,
  recreatesEndedPod: ({ name, phase }: { readonly name: string; readonly phase: string }) =>
    `pod ${name} has ended (${phase}): delete it, so that it can be created again`,
  repairsPod: ({ name }: { readonly name: string }) =>
    `pod ${name} lost a part of its identity or of its storage, which it gets again`,
  repairsClaims: ({ name }: { readonly name: string }) =>
    `the claims of pod ${name} are missing or have other owners than the set wants`,
  scalesDown: ({ name, replicas }: { readonly name: string; readonly replicas: number }) =>
    `it wants ${replicas} pods: delete ${name}`,
  updatesPods: ({
    names,
    revision,
    unavailable,
    maxUnavailable,
  }: {
    readonly names: readonly string[];
    readonly revision: string;
    readonly unavailable: number;
    readonly maxUnavailable: number;
  }) =>
    `${unavailable} pods are unavailable and ${maxUnavailable} may be: delete ${names.join(', ')}, to be created with revision ${revision}`,
  updatesOnDelete: ({ pods }: { readonly pods: number }) =>
    `its update strategy is OnDelete: pods with an old revision stay until somebody deletes them (now ${pods})`,
  partitionKeepsOld: ({ pods, partition }: { readonly pods: number; readonly partition: number }) =>
    `its partition is ${partition}: the pods below it keep their old revision (now ${pods})`,
  lateRequestsStopped: ({ names }: { readonly names: readonly string[] }) =>
    `an earlier sync was interrupted, so that requests about ${names.join(', ')} might come late: they are made void`,
};

/** What is waited for, without the word `waits`: `until …`, `for …`, `to …`. */
const statefulSetWaits = {
  podGone: ({ name }: { readonly name: string }) => `until pod ${name}, which is being deleted, is gone`,
  podReady: ({ name }: { readonly name: string }) => `until pod ${name} is running and ready`,
  podAvailable: ({ name, minReadySeconds }: { readonly name: string; readonly minReadySeconds: number }) =>
    `until pod ${name} is available: it must be ready for ${minReadySeconds} s`,
  /** `name` comes before `pod` when both are not available. */
  podAvailableBeforeScaleDown: ({ name, pod }: { readonly name: string; readonly pod: string }) =>
    `until pod ${name} is available, before ${pod} is deleted`,
  updateBudget: ({
    name,
    unavailable,
    maxUnavailable,
  }: {
    readonly name: string;
    readonly unavailable: number;
    readonly maxUnavailable: number;
  }) => `for fewer unavailable pods than ${maxUnavailable} before ${name} is updated (now ${unavailable})`,
  staleClaimGone: ({ name, claim }: { readonly name: string; readonly claim: string }) =>
    `until claim ${claim} of an earlier pod ${name} is gone`,
  /** Another pod has the name: one of an earlier set, perhaps. */
  nameFree: ({ name }: { readonly name: string }) => `until the other pod with the name ${name} is gone`,
};

export type Wait = WaitOf<typeof statefulSetWaits>;
export type Reason = ReasonOf<typeof statefulSetReasons> | Wait;

export const { reasonInWords, waitInWords } = wordsOf(statefulSetReasons, statefulSetWaits);
