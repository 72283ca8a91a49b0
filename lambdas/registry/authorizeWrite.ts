import type { ApiError } from '../objects/ApiError.ts';
import { invalid } from '../objects/apiErrors.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import { findParamResource } from './admission/policies/bindParameters.ts';
import type { UpdateOptions } from './Registry.ts';
import type { RegistryContext } from './RegistryContext.ts';
import { groupKind, type ResourceEntry } from './ResourceEntry.ts';

/** Members of this group may do everything. */
const SUPERUSERS = 'system:masters';

type AuthorizeOptions = Pick<UpdateOptions<KubernetesObject>, 'request' | 'subresource'>;

/** True for the few resources whose strategy may have to be asked about a write. */
export function isAuthorized({ strategy }: ResourceEntry, { request }: AuthorizeOptions): boolean {
  return strategy.authorizeWrite !== undefined && typeof request === 'object';
}

/**
 * Asks the resource's strategy whether the user behind a valid write may write what it says (see `Strategy.authorizeWrite`). The control plane's own writes, and those to subresources, are not asked about.
 */
export async function authorizeWrite(
  context: RegistryContext,
  entry: ResourceEntry,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  { request, subresource }: AuthorizeOptions,
): Promise<ApiError | undefined> {
  if (!entry.strategy.authorizeWrite || subresource !== undefined) return undefined;
  if (typeof request !== 'object' || !request.allows || request.user.groups.includes(SUPERUSERS)) return undefined;
  const { user, allows } = request;
  const errors = await entry.strategy.authorizeWrite(object, old, {
    user,
    allows,
    objectStore: context.objectStore,
    pluralOf: async (kind) => (await findParamResource(context.catalog, kind))?.entry.plural,
  });
  return errors.length === 0 ? undefined : invalid(groupKind(entry), object.metadata.name, errors);
}
