import { REVISION } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { type DiffLine, diffAsYaml } from './diffAsYaml.ts';

/** A revision with how its template differs from the one before. */
export interface RevisionView {
  readonly revision: number;
  readonly replicaSet: string;
  readonly createdAtMs: number;
  readonly cause: string;
  readonly diff: readonly DiffLine[];
}

const HASH_LABEL = 'pod-template-hash';

/** The revisions of a Deployment, the newest first. Pure. */
export function revisionsOf(replicaSets: readonly ReplicaSet[]): readonly RevisionView[] {
  const ordered = replicaSets
    .map((replicaSet) => ({ replicaSet, revision: revisionOf(replicaSet) }))
    .sort((a, b) => a.revision - b.revision);
  return ordered
    .map(({ replicaSet, revision }, index) => {
      const before = ordered[index - 1];
      const { metadata } = replicaSet;
      return {
        revision,
        replicaSet: metadata.name,
        createdAtMs: Date.parse(metadata.creationTimestamp),
        cause: metadata.annotations?.['kubernetes.io/change-cause'] ?? '',
        diff: before ? diffAsYaml(plainTemplate(before.replicaSet), plainTemplate(replicaSet)) : [],
      };
    })
    .reverse();
}

/** The number of a ReplicaSet's revision; 0 if it has none. Pure. */
export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** A ReplicaSet's template without the label that tells its pods from those of others. Pure. */
export function plainTemplate({ spec }: ReplicaSet): object {
  const { template } = spec ?? {};
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
