import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { jsonEqual, mapsEqual } from '../json.ts';
import { jsonHash } from '../jsonHash.ts';

/** The label that distinguishes the pods of one ReplicaSet of a Deployment from those of the others. */
export const POD_TEMPLATE_HASH_LABEL = 'pod-template-hash';

/** The hash in the name of a new ReplicaSet of this template (see `jsonHash`). Kubernetes hashes a dump of its Go structures, so its hashes differ. Pure. */
export function podTemplateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const content = withoutHashLabel(template);
  return jsonHash(content, collisionCount);
}

/** `EqualIgnoreHash`: whether two stored (and so defaulted) templates are equal, apart from their hash labels. Pure. */
export function templatesEqual(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  const { metadata: metadataOfA = {}, ...restOfA } = withoutHashLabel(a ?? {});
  const { metadata: metadataOfB = {}, ...restOfB } = withoutHashLabel(b ?? {});
  const { labels: labelsOfA, annotations: annotationsOfA, ...metaOfA } = metadataOfA;
  const { labels: labelsOfB, annotations: annotationsOfB, ...metaOfB } = metadataOfB;
  return (
    mapsEqual(labelsOfA, labelsOfB) &&
    mapsEqual(annotationsOfA, annotationsOfB) &&
    jsonEqual(metaOfA, metaOfB) &&
    jsonEqual(restOfA, restOfB)
  );
}

/** A copy of the template without the hash label. */
export function withoutHashLabel(template: PodTemplateSpec): PodTemplateSpec {
  const { labels, ...metadata } = template.metadata ?? {};
  const { [POD_TEMPLATE_HASH_LABEL]: _, ...others } = labels ?? {};
  return { ...template, metadata: { ...metadata, ...(Object.keys(others).length > 0 && { labels: others }) } };
}
