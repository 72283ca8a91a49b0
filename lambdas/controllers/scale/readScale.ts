import { ApiError } from '../../objects/ApiError.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { ScaleRules } from '../../registry/ResourceEntry.ts';
import type { RegistryReader } from '../guardWrites.ts';

/** An object that may have a scale, as owner references and `scaleTargetRef`s name it. */
export interface ScaleReference {
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The resource of a kind, in one of its versions. */
export interface MappedKind {
  readonly groupResource: GroupResource;
  /** Absent: the version serves no scale subresource. */
  readonly scale: ScaleRules | undefined;
}

export type ScaleOutcome =
  | {
      readonly status: 'found';
      readonly uid: string;
      readonly replicas: { readonly spec: number; readonly status: number; readonly selector: string };
      readonly mapped: MappedKind;
    }
  | { readonly status: 'notFound' }
  /** In Kubernetes' words: no such kind is served, it has no scale, or the object does not say how many replicas it wants. */
  | { readonly status: 'failed'; readonly message: string };

/** Reads the scale of a built-in or custom object: the RESTMapper and the scale client of Kubernetes' controllers. */
export async function readScale(
  registry: Pick<RegistryReader, 'get'>,
  catalog: ResourceCatalog,
  { apiVersion, kind, name }: ScaleReference,
  namespace: string,
): Promise<ScaleOutcome> {
  const mapped = await mapKind(catalog, apiVersion, kind);
  if (!mapped) return failed(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  const { groupResource: resource, scale } = mapped;
  if (!scale) return failed(`${resource} does not implement the scale subresource`);
  const object = await registry.get({ resource, namespace, name });
  if (!object) return { status: 'notFound' };
  try {
    return { status: 'found', uid: object.metadata.uid, replicas: scale.replicas(object), mapped };
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message);
    throw error;
  }
}

/** Kubernetes' `RESTMapping`: the resource of a kind, if it is served in this version. */
async function mapKind(catalog: ResourceCatalog, apiVersion: string, kind: string): Promise<MappedKind | undefined> {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const builtIn = catalog.builtIn.find(
    (entry) =>
      entry.kind === kind &&
      entry.versions.some((one) => one.version === version && (one.group ?? entry.group) === group),
  );
  if (builtIn) return { groupResource: builtIn.groupResource, scale: builtIn.scale };
  // The group of a custom resource is a domain with a dot.
  if (!group.includes('.')) return undefined;
  const custom = (await catalog.custom.list()).find((one) => one.kind === kind && one.group === group);
  const served = custom?.isEstablished === true ? custom.served.get(version) : undefined;
  return served && { groupResource: served.groupResource, scale: served.scale };
}

function failed(message: string): ScaleOutcome {
  return { status: 'failed', message };
}
