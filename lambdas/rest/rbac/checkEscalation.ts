import type { PolicyRule, RoleRef } from 'kubernetes-types/rbac/v1.js';
import { ApiError } from '../../objects/ApiError.ts';
import { forbidden, notFound } from '../../objects/apiErrors.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { uncoveredRules } from './uncoveredRules.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import { EVERYTHING, MASTERS_GROUP, type UserInfo } from './UserInfo.ts';
import type { AccessAttributes } from './AccessAttributes.ts';
import type { Registry } from '../../registry/Registry.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ROLES = new Set([`roles.${RBAC}`, `clusterroles.${RBAC}`]);
const BINDINGS = new Set([`rolebindings.${RBAC}`, `clusterrolebindings.${RBAC}`]);

/**
 * Prevents users from granting permissions that they do not have. A role may only contain rules that its author has, unless the author may `escalate` roles. A
 * binding may only refer to an existing role whose rules its author has, unless the author may `bind` that role. Returns the error, or `undefined` for an
 * allowed write.
 */
export async function checkEscalation(
  authorizer: Authorizer,
  user: UserInfo,
  resource: string,
  object: KubernetesObject,
  old?: KubernetesObject,
): Promise<ApiError | undefined> {
  if (user.groups.includes(MASTERS_GROUP)) return undefined;
  // Anyone allowed to update the object can also cause it to be garbage collected.
  if (old && changesOnlyOwnership(object, old)) return undefined;
  if (ROLES.has(resource)) return checkRole(authorizer, user, resource, object, old);
  if (BINDINGS.has(resource)) return checkBinding(authorizer, user, resource, object);
  return undefined;
}

/** True if the update changes only owner references and finalizers. Labels do matter: they can make a role part of an aggregated one. */
function changesOnlyOwnership(object: KubernetesObject, old: KubernetesObject): boolean {
  const rest = ({ metadata, ...content }: KubernetesObject) => {
    const { ownerReferences: _owners, finalizers: _finalizers, resourceVersion: _version, ...kept } = metadata;
    return { ...content, metadata: kept };
  };
  return jsonEqual(rest(object), rest(old));
}

async function checkRole(
  authorizer: Authorizer,
  user: UserInfo,
  resource: string,
  object: KubernetesObject,
  old?: KubernetesObject,
) {
  const { namespace = '', name } = object.metadata;
  if (await authorizer.allows(user, attributesOf('escalate', resource, namespace, name))) return undefined;
  const aggregates = object['aggregationRule'] !== undefined || old?.['aggregationRule'] !== undefined;
  // An aggregated role can gain anybody's rules, including rules that do not exist yet.
  if (aggregates && uncoveredRules(await authorizer.rulesFor(user, ''), EVERYTHING).length > 0) {
    return forbidden(resource, name, 'must have cluster-admin privileges to use an aggregationRule');
  }
  return refuseUncovered(authorizer, user, resource, object, (object['rules'] ?? []) as PolicyRule[]);
}

async function checkBinding(authorizer: Authorizer, user: UserInfo, resource: string, object: KubernetesObject) {
  const { namespace = '' } = object.metadata;
  const reference = object['roleRef'] as Partial<RoleRef> | undefined;
  // A binding without a role grants nothing. Validation refuses it.
  if (!reference?.kind || !reference.name) return undefined;
  const role = `${reference.kind === 'Role' ? 'roles' : 'clusterroles'}.${RBAC}`;
  if (await authorizer.allows(user, attributesOf('bind', role, namespace, reference.name))) return undefined;
  const rules = await authorizer.rulesOf(reference as RoleRef, namespace);
  // The binding would take effect as soon as somebody creates the role, without another check.
  if (!rules) return notFound(role, reference.name);
  return refuseUncovered(authorizer, user, resource, object, rules);
}

function attributesOf(verb: string, groupResource: string, namespace: string, name: string): AccessAttributes {
  const [resource = ''] = groupResource.split('.');
  return { verb, group: RBAC, resource, subresource: '', namespace, name };
}

async function refuseUncovered(
  authorizer: Authorizer,
  user: UserInfo,
  resource: string,
  { metadata }: KubernetesObject,
  wanted: readonly PolicyRule[],
): Promise<ApiError | undefined> {
  const missing = uncoveredRules(await authorizer.rulesFor(user, metadata.namespace ?? ''), wanted);
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(user.username)} (groups=[${user.groups.map((group) => JSON.stringify(group)).join(' ')}])`;
  const what = missing.map(printRule).sort().join('\n');
  return forbidden(
    resource,
    metadata.name,
    `${who} is attempting to grant RBAC permissions not currently held:\n${what}`,
  );
}

/** `{APIGroups:["apps"], Resources:["deployments"], Verbs:["*"]}` */
function printRule({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    ResourceNames: resourceNames,
    NonResourceURLs: nonResourceURLs,
    Verbs: verbs,
  };
  const printed = Object.entries(parts).flatMap(([name, values]) =>
    values?.length ? [`${name}:[${values.map((value) => JSON.stringify(value)).join(' ')}]`] : [],
  );
  return `{${printed.join(', ')}}`;
}

const RBAC_SUFFIX = '.rbac.authorization.k8s.io';

/** The registry for one user: it refuses roles and bindings that grant more than the user has, whether they come by POST, PUT or PATCH. */
export function guardGrants(registry: Registry, authorizer: Authorizer, user: UserInfo): Registry {
  return {
    ...registry,
    async create(resource, object, options) {
      const draft = { ...object, metadata: { name: '', ...object.metadata } } as KubernetesObject;
      const error = resource.endsWith(RBAC_SUFFIX)
        ? await checkEscalation(authorizer, user, resource, draft)
        : undefined;
      return error ? { status: 'refused', error } : registry.create(resource, object, options);
    },
    async update(resource, object, options) {
      if (!resource.endsWith(RBAC_SUFFIX)) return registry.update(resource, object, options);
      const { name, namespace = '' } = object.metadata;
      const old = options?.from ?? (await registry.get({ resource, namespace, name }));
      const error = await checkEscalation(authorizer, user, resource, object, old);
      return error ? { status: 'refused', error } : registry.update(resource, object, options);
    },
  };
}
