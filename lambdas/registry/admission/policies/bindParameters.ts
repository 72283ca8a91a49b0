import type { ParamKind, ParamRef } from 'kubernetes-types/admissionregistration/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { compileLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import type { ObjectStore } from '../../../ports/ObjectStore.ts';
import type { ResourceCatalog } from '../../ResourceCatalog.ts';
import type { ResourceEntry } from '../../ResourceEntry.ts';
import { groupVersionOf, toServed } from '../../versions/convertVersion.ts';

/** The resource of a policy's parameters, in the version that the policy names. */
export interface ParamResource {
  readonly entry: ResourceEntry;
  readonly apiVersion: string;
}

/** The parameters with which a binding lets a policy act, each once: `undefined` lets it act without parameters. Or why they were not found, in Kubernetes' words. */
export type BoundParameters =
  | { readonly status: 'found'; readonly parameters: readonly (KubernetesObject | undefined)[] }
  | { readonly status: 'failed'; readonly error: string };

/** Finds the resource of a kind; `undefined` for a kind that is not served. */
export async function findParamResource(
  catalog: ResourceCatalog,
  { apiVersion = '', kind = '' }: ParamKind,
): Promise<ParamResource | undefined> {
  const builtIn = catalog.builtIn.find(
    (entry) =>
      entry.kind === kind &&
      entry.virtual !== true &&
      entry.versions.some((one) => groupVersionOf(one.group ?? entry.group, one.version) === apiVersion),
  );
  if (builtIn) return { entry: builtIn, apiVersion };
  // The group of a custom resource is a domain with a dot.
  if (!apiVersion.includes('.')) return undefined;
  for (const custom of await catalog.custom.list())
    for (const [version, entry] of custom.served)
      if (custom.isEstablished && entry.kind === kind && groupVersionOf(entry.group, version) === apiVersion)
        return { entry, apiVersion };
  return undefined;
}

/** Says that no served kind has the parameters of a policy. */
export function unknownParamKind({ apiVersion = '', kind = '' }: ParamKind): string {
  const name = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `failed to find resource referenced by paramKind: '${name}, Kind=${kind}'`;
}

/**
 * Reads the parameters that a binding refers to, for a request in this namespace: one object by its name, or all that a selector selects. A policy without parameters acts once, without any. Follows
 * upstream's `generic.CollectParams`. At most one read.
 */
export async function bindParameters(
  objectStore: Pick<ObjectStore, 'get' | 'list'>,
  resource: ParamResource | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
): Promise<BoundParameters> {
  if (!resource || !paramRef) return { status: 'found', parameters: [undefined] };
  const { namespaced } = resource.entry;
  if (!namespaced && paramRef.namespace)
    return failed('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const namespace = namespaced ? paramRef.namespace || requestNamespace : '';
  if (namespaced && namespace === '')
    return failed('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  const parameters = await read(objectStore, resource, paramRef, namespace);
  if (parameters.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    return failed('no params found for policy binding with `Deny` parameterNotFoundAction');
  return { status: 'found', parameters };
}

function failed(error: string): BoundParameters {
  return { status: 'failed', error };
}

async function read(
  objectStore: Pick<ObjectStore, 'get' | 'list'>,
  { entry, apiVersion }: ParamResource,
  { name, selector }: ParamRef,
  namespace: string,
): Promise<readonly KubernetesObject[]> {
  const resource = entry.groupResource;
  const shown = (object: KubernetesObject) => toServed(entry, object, apiVersion);
  if (name) {
    const found = await objectStore.get({ resource, namespace, name });
    return found ? [shown(found)] : [];
  }
  const selects = compileLabelSelector(selector);
  const { items } = await objectStore.list(resource, namespace === '' ? {} : { namespace });
  return items.filter(({ metadata }) => selects(metadata.labels)).map(shown);
}
