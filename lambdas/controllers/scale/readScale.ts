import { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { apiGroupOf, findKind } from '../../registry/findKind.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { ScaleRules } from '../../registry/ResourceEntry.ts';
import type { RegistryReader } from '../GuardedWriters.ts';

/** An object that may have a scale, as owner references and `scaleTargetRef`s name it. */
export interface ScaleReference {
  /** `apps/v1` */
  readonly apiVersion: string;
  /** True if the kind of any version of this group is meant: an autoscaler's reference. Absent: only of this version. */
  readonly isOfAnyVersion?: true;
  readonly kind: string;
  readonly name: string;
}

/** The resource of a kind with a scale. */
interface ScaledKind {
  readonly groupResource: GroupResource;
  readonly scale: ScaleRules;
}

export type ScaleOutcome =
  | {
      readonly status: 'found';
      readonly object: KubernetesObject;
      readonly replicas: { readonly spec: number; readonly status: number; readonly selector: string };
      readonly mapped: ScaledKind;
    }
  | { readonly status: 'notFound'; readonly mapped: ScaledKind }
  /** In Kubernetes' words: no such kind is served, it has no scale, or the object does not say how many replicas it wants. */
  | { readonly status: 'failed'; readonly message: string };

/** Reads the scale of a built-in or custom object: the RESTMapper and the scale client of Kubernetes' controllers. */
export async function readScale(
  registry: Pick<RegistryReader, 'get'>,
  catalog: ResourceCatalog,
  { apiVersion, isOfAnyVersion, kind, name }: ScaleReference,
  namespace: string,
): Promise<ScaleOutcome> {
  const group = apiGroupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const mapped = await findKind(catalog, group, kind, isOfAnyVersion ? undefined : version);
  const place = isOfAnyVersion ? `group ${JSON.stringify(group)}` : `version ${JSON.stringify(apiVersion)}`;
  if (!mapped) return failed(`no matches for kind ${JSON.stringify(kind)} in ${place}`);
  const { groupResource: resource, scale } = mapped;
  if (!scale) return failed(`${resource} does not implement the scale subresource`);
  const object = await registry.get({ resource, namespace, name });
  const scaled = { groupResource: resource, scale };
  if (!object) return { status: 'notFound', mapped: scaled };
  try {
    return { status: 'found', object, replicas: scale.replicas(object), mapped: scaled };
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message);
    throw error;
  }
}

function failed(message: string): ScaleOutcome {
  return { status: 'failed', message };
}
