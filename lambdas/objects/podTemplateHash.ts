import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { jsonEqual, mapsEqual } from './json.ts';

/** The label that distinguishes the pods of one ReplicaSet of a Deployment from those of the others. */
export const POD_TEMPLATE_HASH_LABEL = 'pod-template-hash';

/** apimachinery's `rand` alphabet: no vowels and nothing that looks like one, so that no words appear. */
const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash in the name of a new ReplicaSet of this template: FNV-1a (32 bits, in decimal, each digit replaced as Kubernetes' `SafeEncodeString` does) of the template's
 * JSON with sorted keys. The same template gives the same hash for ever: absent fields do not count, so new API versions do not change it. The collision count is included, so
 * that a name taken by another template leads to another name. Kubernetes hashes a dump of its Go structures, so its hashes differ. Pure.
 */
export function podTemplateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = canonicalJson(withoutHashLabel(template)) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  return String(fnv1a(text)).replace(/\d/g, (digit) => SAFE_ALPHABET[digit.charCodeAt(0) % SAFE_ALPHABET.length] ?? '');
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

/** JSON with sorted keys. Values that `templatesEqual` treats alike (absent, null, empty lists, empty maps of metadata) give the same text. */
function canonicalJson(value: unknown, key = ''): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : `[${value.map((item) => canonicalJson(item) ?? 'null').join()}]`;
  }
  const members = Object.entries(value)
    .map(([name, member]) => [name, canonicalJson(member, name)] as const)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .sort();
  const isEmptyMap = members.length === 0 && (key === 'annotations' || key === 'labels' || key === 'metadata');
  return isEmptyMap ? undefined : `{${members.join()}}`;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
