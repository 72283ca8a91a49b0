import type { NewObject } from './KubernetesObject.ts';

/** The name by which a refusal calls an object that is to be created: its own, or the beginning of the one that is still to be generated, as Kubernetes' admission does. */
export function askedName({ metadata }: Pick<NewObject, 'metadata'>): string {
  return metadata.name || metadata.generateName || 'Unknown';
}
