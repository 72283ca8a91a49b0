import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { type CommittedClaims, commitClaims } from './commitClaims.ts';
import { type Claimant, decideClaims } from './decideClaims.ts';

/** Returns a test for whether a selector matches an object's labels. */
export function matcherOf(selector: LabelSelector | undefined): (object: KubernetesObject) => boolean {
  const matches = compileLabelSelector(selector);
  return ({ metadata }) => matches(metadata.labels);
}

/** Adopts the claimant's matching orphans and releases the pods that its selector no longer matches: Kubernetes' `ClaimPods`. `resource` is the claimant's. A ReplicaSet's own `claimPods` decides by a tally of thousands of pods. */
export function claimPods(
  registry: GuardedRegistry,
  resource: GroupResource,
  claimant: Claimant,
  candidates: readonly Pod[],
): Promise<CommittedClaims<Pod>> {
  const { namespace = '', name } = claimant.object.metadata;
  const claimantKey = { resource, namespace, name };
  return commitClaims(decideClaims(claimant, candidates), { registry, claimant, claimantKey, resource: 'pods' });
}
