import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ReplicaSet, ReplicationController } from '../../objects/kinds.ts';

/** What keeps a number of pods: the two kinds that one engine serves. */
export type ReplicaOwner = ReplicaSet | ReplicationController;

/** How the engine deals with one of its kinds: all that tells them apart. */
export interface ReplicaOwnerKind {
  readonly controller: 'replicaset' | 'replicationcontroller';
  readonly resource: 'replicasets.apps' | 'replicationcontrollers';
  readonly kind: 'ReplicaSet' | 'ReplicationController';
  /** Its selector as a LabelSelector; `undefined` selects nothing. */
  selectorOf(owner: KubernetesObject): LabelSelector | undefined;
  /** Whether its status has `terminatingReplicas`. */
  readonly countsTerminating: boolean;
}

export const REPLICA_SET: ReplicaOwnerKind = {
  controller: 'replicaset',
  resource: 'replicasets.apps',
  kind: 'ReplicaSet',
  selectorOf: (owner) => (owner as ReplicaSet).spec?.selector,
  countsTerminating: true,
};

/** How many pods it asks for; stored objects are defaulted, so an absent number is only met in older data. */
export function desiredReplicas(owner: ReplicaOwner): number {
  return owner.spec?.replicas ?? 1;
}

/** Absent in a ReplicationController that lost its template: nothing can be created then. */
export function templateOf(owner: ReplicaOwner): PodTemplateSpec {
  return owner.spec?.template ?? {};
}
