import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** Returns a copy of the object with this finalizer; the same object if it has it. Pure. */
export function withFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Returns a copy of the object without this finalizer. Pure. */
export function withoutFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  const { finalizers = [], ...metadata } = object.metadata;
  const others = finalizers.filter((one) => one !== finalizer);
  return { ...object, metadata: { ...metadata, ...(others.length > 0 && { finalizers: others }) } };
}
