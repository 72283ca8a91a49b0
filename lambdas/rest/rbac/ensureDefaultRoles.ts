import type { ClusterRole } from 'kubernetes-types/rbac/v1.js';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';
import { uncoveredRules } from './uncoveredRules.ts';
import { bootstrapBindings, defaultClusterRoleBindings, defaultClusterRoles } from './defaultRoles.ts';

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** Creates missing default roles and bindings, and adds missing rules to existing default roles unless their autoupdate annotation is false. `signsCertificates`: with the bindings by which machines become nodes. */
export async function ensureDefaultRoles(registry: Registry, signsCertificates = false): Promise<void> {
  for (const role of defaultClusterRoles) await ensureRole(registry, role);
  for (const binding of signsCertificates
    ? [...defaultClusterRoleBindings, ...bootstrapBindings]
    : defaultClusterRoleBindings) {
    const name = binding.metadata?.name ?? '';
    const key = { resource: 'clusterrolebindings.rbac.authorization.k8s.io', namespace: '', name };
    if (!(await registry.get(key))) await create(registry, key.resource, binding as unknown as NewObject);
  }
}

async function ensureRole(registry: Registry, role: ClusterRole): Promise<void> {
  const resource = 'clusterroles.rbac.authorization.k8s.io';
  const stored = await registry.get<Stored<ClusterRole>>({ resource, namespace: '', name: role.metadata?.name ?? '' });
  if (!stored) return create(registry, resource, role as unknown as NewObject);
  if (stored.metadata.annotations?.[AUTOUPDATE] === 'false') return;
  const missing = uncoveredRules(stored.rules ?? [], role.rules ?? []);
  if (missing.length === 0) return;
  const outcome = await registry.update(
    resource,
    { ...stored, rules: [...(stored.rules ?? []), ...missing] },
    { from: stored, request: 'admitted' },
  );
  if (outcome.status === 'refused' && outcome.error.reason !== 'Conflict') throw outcome.error;
}

async function create(registry: Registry, resource: string, object: NewObject): Promise<void> {
  const outcome = await registry.create(resource, object, { request: 'admitted' });
  // Another instance that starts at the same time may have created it first.
  if (outcome.status === 'refused' && outcome.error.reason !== 'AlreadyExists') throw outcome.error;
}
