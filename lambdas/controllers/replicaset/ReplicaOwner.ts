import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ReplicaSet, ReplicationController } from '../../objects/kinds.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import { rememberLast } from '../../objects/rememberLast.ts';

/** An object that keeps a number of pods: either of the two kinds that share one engine (see `syncReplicaOwner`). */
export type ReplicaOwner = ReplicaSet | ReplicationController;

/** Everything in which the two kinds differ. */
export interface ReplicaOwnerKind {
  readonly controller: 'replicaset' | 'replicationcontroller';
  readonly resource: 'replicasets.apps' | 'replicationcontrollers';
  readonly kind: 'ReplicaSet' | 'ReplicationController';
  /** Its selector as a LabelSelector; `undefined` selects nothing. */
  selectorOf(owner: KubernetesObject): LabelSelector | undefined;
  /** Whether its status has `terminatingReplicas`. */
  readonly countsTerminating: boolean;
}

/** The number of pods that the owner wants. Stored objects are defaulted, so only older data lacks the number. */
export function desiredReplicas(owner: ReplicaOwner): number {
  return owner.spec?.replicas ?? 1;
}

/** The owner's pod template. It is empty in a ReplicationController that lost its template: then no pod can be created. */
export function templateOf(owner: ReplicaOwner): PodTemplateSpec {
  return owner.spec?.template ?? {};
}

/** Returns a test for whether the owner's selector matches an object's labels. */
export function selectorOf(kind: ReplicaOwnerKind, owner: KubernetesObject): (object: KubernetesObject) => boolean {
  const matches = rememberLast(compileLabelSelector(kind.selectorOf(owner)));
  return ({ metadata }) => matches(metadata.labels);
}
