import { notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { HorizontalPodAutoscaler } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { ScaleRules } from '../../registry/ResourceEntry.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { readScale } from '../scale/readScale.ts';

/** What an autoscaler scales, and its numbers. */
export interface ScaleTarget {
  readonly resource: GroupResource;
  readonly rules: ScaleRules;
  readonly object: KubernetesObject;
  /** `spec.replicas`, `status.replicas` and the selector of the scale. */
  readonly scale: ReturnType<ScaleRules['replicas']>;
}

/** Reads the scale of what the autoscaler refers to: `scaleForResourceMappings`. A text says, in Kubernetes' words, why it cannot be read. */
export async function observeScaleTarget(
  registry: RegistryReader,
  catalog: ResourceCatalog,
  { metadata, spec }: HorizontalPodAutoscaler,
): Promise<ScaleTarget | string> {
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  const reference = { apiVersion, isOfAnyVersion: true, kind, name } as const;
  const outcome = await readScale(registry, catalog, reference, metadata.namespace ?? '');
  switch (outcome.status) {
    case 'found': {
      const { object, replicas: scale, mapped } = outcome;
      const { groupResource: resource, scale: rules } = mapped;
      return { resource, rules, object, scale };
    }
    case 'notFound':
      return notFound(scaleResource(outcome.mapped), name).message;
    case 'failed':
      return outcome.message;
  }
}

/** As the scale subresource names itself when it finds nothing: that of a built-in kind as itself, that of a custom kind as the object. */
function scaleResource({
  groupResource,
  scale,
}: {
  readonly groupResource: GroupResource;
  readonly scale: ScaleRules;
}) {
  if (scale.isCustom === true) return groupResource;
  const [plural = '', group = scale.group] = groupResource.split('.');
  return `${plural}/scale.${group}`;
}
