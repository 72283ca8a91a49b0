import type { Container, EnvVar, PodSpec, Volume, VolumeProjection } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../kinds.ts';

/** The resources whose objects a pod needs before a kubelet can start it. */
export type ReferencedResource = 'configmaps' | 'secrets' | 'persistentvolumeclaims';

/** A pod's mention of an object of its namespace. */
export interface ObjectReference {
  readonly resource: ReferencedResource;
  readonly name: string;
  /** The pod starts without the object, or without those keys of it. */
  readonly isOptional: boolean;
  /** The keys that the object must have. */
  readonly keys: readonly string[];
}

/** What a volume is made of. */
export interface VolumeReferences {
  readonly volume: string;
  readonly references: readonly ObjectReference[];
}

/** Every namespace has it, and nearly every pod mounts it: it is taken to exist, so that no pod has to read it. */
const ROOT_CA = 'kube-root-ca.crt';

/** Returns the pod's volumes that need other objects, in the pod's order. Pure. */
export function volumeReferences({ volumes = [] }: Pick<PodSpec, 'volumes'>): readonly VolumeReferences[] {
  return volumes
    .map((volume) => ({ volume: volume.name, references: sourcesOf(volume) }))
    .filter(({ references }) => references.length > 0);
}

/** Returns the objects from which the container's environment is made, in the order in which a kubelet looks at them. Pure. */
export function environmentReferences({ envFrom = [], env = [] }: Container): readonly ObjectReference[] {
  const whole = envFrom.flatMap(({ configMapRef, secretRef }) => [
    ...(configMapRef ? [referenceTo('configmaps', configMapRef)] : []),
    ...(secretRef ? [referenceTo('secrets', secretRef)] : []),
  ]);
  return [...whole, ...env.flatMap(variableReference)];
}

/** Whether the pod mentions the object. Pure. */
export function refersTo({ spec }: Pod, resource: ReferencedResource, name: string): boolean {
  if (!spec) return false;
  const references = [
    ...volumeReferences(spec).flatMap((one) => one.references),
    ...allContainers(spec).flatMap(environmentReferences),
  ];
  return references.some((one) => one.resource === resource && one.name === name);
}

/** Returns the containers of all kinds. Pure. */
export function allContainers(spec: PodSpec): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...((spec.ephemeralContainers ?? []) as Container[])];
}

function sourcesOf({ configMap, secret, projected, persistentVolumeClaim }: Volume): readonly ObjectReference[] {
  if (configMap) return [referenceTo('configmaps', configMap, configMap.items)];
  if (secret) return [referenceTo('secrets', { ...secret, name: secret.secretName }, secret.items)];
  if (persistentVolumeClaim) return [referenceTo('persistentvolumeclaims', { name: persistentVolumeClaim.claimName })];
  return (projected?.sources ?? []).flatMap(projectedReference).filter(({ name }) => name !== ROOT_CA);
}

function projectedReference({ configMap, secret }: VolumeProjection): readonly ObjectReference[] {
  if (secret) return [referenceTo('secrets', secret, secret.items)];
  return configMap ? [referenceTo('configmaps', configMap, configMap.items)] : [];
}

function variableReference({ valueFrom }: EnvVar): readonly ObjectReference[] {
  const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  if (configMapKeyRef) return [referenceTo('configmaps', configMapKeyRef, [configMapKeyRef])];
  return secretKeyRef ? [referenceTo('secrets', secretKeyRef, [secretKeyRef])] : [];
}

function referenceTo(
  resource: ReferencedResource,
  { name = '', optional = false }: { readonly name?: string | undefined; readonly optional?: boolean },
  keys: readonly { readonly key: string }[] = [],
): ObjectReference {
  return { resource, name, isOptional: optional, keys: keys.map(({ key }) => key) };
}
