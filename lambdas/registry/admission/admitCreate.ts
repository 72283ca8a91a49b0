import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { admitNamespace } from './admitNamespace.ts';
import { admitPod } from './admitPod.ts';
import { allocateClusterIp } from './allocateClusterIp.ts';
import { applyLimitRanges } from './applyLimitRanges.ts';

/**
 * The API server's mutating admission for a new object that has its defaults: NamespaceLifecycle, LimitRanger, ServiceAccount, Priority, DefaultTolerationSeconds; and
 * the allocation of cluster IPs. Changes the draft; answers with why the object is not admitted, if it isn't.
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
