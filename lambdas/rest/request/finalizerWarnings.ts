import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ResourceRequest } from './ResourceRequest.ts';

/** The garbage collector's own finalizers, which have no domain. */
const STANDARD = new Set(['orphan', 'foregroundDeletion']);

/** Warns about finalizers of a custom object whose names others could use too: those that `old` does not have. */
export function warnOfFinalizers(
  { resource, warnings }: ResourceRequest,
  { metadata }: KubernetesObject,
  old?: KubernetesObject,
): void {
  if (!resource.entry.custom) return;
  const known = new Set(old?.metadata.finalizers);
  const added = (metadata.finalizers ?? []).filter((name) => !known.has(name) && !name.includes('/'));
  for (const name of added.filter((one) => !STANDARD.has(one)).sort()) {
    warnings.push(
      `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
  }
}
