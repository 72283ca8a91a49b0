import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';
import { checkEscalation } from './checkEscalation.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import type { UserInfo } from './UserInfo.ts';

const RBAC_SUFFIX = '.rbac.authorization.k8s.io';

/** The registry as one user may write to it: roles and bindings that grant more than the user has are refused. Whichever way they come: POST, PUT or PATCH. */
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
