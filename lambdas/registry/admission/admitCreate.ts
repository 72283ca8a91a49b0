import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden, notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { admitPod } from './admitPod.ts';
import { allocateClusterIp } from './allocateClusterIp.ts';
import { applyLimitRanges } from './applyLimitRanges.ts';

/**
 * Admits a new object that has its defaults, as the API server's admission plugins NamespaceLifecycle, LimitRanger, ServiceAccount, Priority and
 * DefaultTolerationSeconds do, and allocates cluster IPs. Changes the draft. Returns the error if the object is not admitted.
 */
export async function admitCreate(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  if (entry.namespaced) {
    const error = await admitNamespace(context, entry, draft);
    if (error !== undefined) return error;
  }
  if (entry.groupResource === 'pods') return (await applyLimitRanges(context, draft)) ?? admitPod(draft);
  if (entry.groupResource === 'services') return allocateClusterIp(context, draft);
  return undefined;
}

/** NamespaceLifecycle: refuses a create in a namespace that does not exist or is being deleted. One read. */
export async function admitNamespace(
  { objectStore }: RegistryContext,
  { groupResource }: ResourceEntry,
  { metadata }: KubernetesObject,
): Promise<ApiError | undefined> {
  const { namespace = '' } = metadata;
  // The validation of the metadata refuses an object without a namespace.
  if (namespace === '') return undefined;
  const found = await objectStore.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (found === undefined) return notFound('namespaces', namespace);
  if (found.metadata.deletionTimestamp === undefined) return undefined;
  return forbidden(
    groupResource,
    metadata.name || metadata.generateName || 'Unknown',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
