import type { KubernetesObject } from './KubernetesObject.ts';

/** Holds a claim that is being deleted until no pod uses it. */
export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
/** Holds a volume that is being deleted until no claim is bound to it. */
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';

/** What is left to do about an object's protection: a new object gets it, and one that is being deleted loses it when nobody uses it any more. Pure. */
export function protectionStep({ metadata }: KubernetesObject, finalizer: string): 'protect' | 'release' | undefined {
  const isProtected = metadata.finalizers?.includes(finalizer) === true;
  if (metadata.deletionTimestamp === undefined) return isProtected ? undefined : 'protect';
  return isProtected ? 'release' : undefined;
}

/** The object with the finalizer or without it. Pure. */
export function withProtection<T extends KubernetesObject>(
  object: T,
  finalizer: string,
  step: 'protect' | 'release',
): T {
  const { finalizers = [], ...metadata } = object.metadata;
  const others = finalizers.filter((one) => one !== finalizer);
  const all = step === 'protect' ? [...others, finalizer] : others;
  return { ...object, metadata: { ...metadata, ...(all.length > 0 && { finalizers: all }) } };
}
