import { REVISION } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { ReplicaSetView } from './PageViews.ts';

/** A ReplicaSet as a lane. Pure. */
export function viewReplicaSet(replicaSet: ReplicaSet, isNew: boolean): ReplicaSetView {
  const { metadata, spec } = replicaSet;
  return {
    id: metadata.uid,
    name: metadata.name,
    uid: metadata.uid,
    isNew,
    revision: metadata.annotations?.[REVISION] ?? '',
    desired: spec?.replicas ?? 1,
    images: (spec?.template?.spec?.containers ?? []).map(({ image = '' }) => image),
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
  };
}
