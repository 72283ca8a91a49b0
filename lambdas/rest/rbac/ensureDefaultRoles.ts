import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';
import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';
import { controllerPolicy, defaultPolicy, joinPolicy, type Policy, smokeTestPolicy } from './defaultRoles.ts';
import { SMOKE_TEST_NAMESPACE, SMOKE_TEST_USER } from './smokeTestRole.ts';
import { uncoveredRules } from './uncoveredRules.ts';

export interface DefaultRolesOptions {
  /** With what machines need to become nodes. */
  readonly signsCertificates?: boolean;
  /** With the roles of Kubernetes' controllers. Each request reads all bindings, so a cluster whose controllers are all our own can do without them. */
  readonly hasControllerRoles?: boolean;
  /** With the namespace and the role of the smoke test, which a deployment of the AWS stack ends with. */
  readonly hasSmokeTest?: boolean;
}

type Rights = KubernetesObject & { readonly rules?: readonly PolicyRule[] };

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const RBAC = 'rbac.authorization.k8s.io';

/** Creates missing default roles and bindings, and adds missing rules and labels to existing default roles unless their autoupdate annotation is false. */
export async function ensureDefaultRoles(
  registry: Registry,
  { signsCertificates = false, hasControllerRoles = false, hasSmokeTest = false }: DefaultRolesOptions = {},
): Promise<void> {
  await ensurePolicy(registry, defaultPolicy());
  if (hasSmokeTest) await ensureSmokeTest(registry);
  if (hasControllerRoles) await ensurePolicy(registry, controllerPolicy());
  if (signsCertificates) await ensurePolicy(registry, joinPolicy());
}

async function ensureSmokeTest(registry: Registry): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SMOKE_TEST_NAMESPACE } };
  await create(registry, 'namespaces', namespace);
  await ensurePolicy(registry, smokeTestPolicy());
  // Earlier releases gave the user a cluster role, with which it could create Deployments everywhere. A rollback to such a release creates it again.
  for (const resource of ['clusterrolebindings', 'clusterroles']) {
    const place = { resource: `${resource}.${RBAC}`, namespace: '', name: SMOKE_TEST_USER };
    const outcome = await registry.delete(place, { request: 'admitted' });
    if (outcome.status === 'refused' && outcome.error.reason !== 'NotFound') throw outcome.error;
  }
}

async function ensurePolicy(registry: Registry, policy: Policy): Promise<void> {
  const ensureAll = (resource: string, objects: readonly object[]) =>
    Promise.all(objects.map((object) => ensure(registry, `${resource}.${RBAC}`, object as NewObject)));
  await ensureAll('clusterroles', policy.clusterRoles);
  await ensureAll('roles', policy.roles);
  // A binding refers to a role that exists.
  await ensureAll('clusterrolebindings', policy.clusterRoleBindings);
  await ensureAll('rolebindings', policy.roleBindings);
}

/** Bindings that exist are left alone: their subjects are for users to choose. */
async function ensure(registry: Registry, resource: string, wanted: NewObject): Promise<void> {
  const { name = '', namespace = '' } = wanted.metadata;
  const stored = await registry.get<Rights>({ resource, namespace, name });
  if (!stored) return await create(registry, resource, wanted);
  const restored = wanted['rules'] ? restoredRole(stored, wanted as Rights) : undefined;
  if (!restored) return;
  const outcome = await registry.update(resource, restored, { from: stored, request: 'admitted' });
  if (outcome.status === 'refused' && outcome.error.reason !== 'Conflict') throw outcome.error;
}

/** The role with the rules and labels that it lacks; `undefined` if it lacks none, or is not ours to change. Pure. */
function restoredRole(stored: Rights, wanted: Rights): Rights | undefined {
  const { annotations, labels = {} } = stored.metadata;
  if (annotations?.[AUTOUPDATE] === 'false') return undefined;
  const missing = uncoveredRules(stored.rules ?? [], wanted.rules ?? []);
  const hasLabels = Object.keys(wanted.metadata.labels ?? {}).every((label) => label in labels);
  if (missing.length === 0 && hasLabels) return undefined;
  const metadata = { ...stored.metadata, labels: { ...wanted.metadata.labels, ...labels } };
  return { ...stored, metadata, rules: [...(stored.rules ?? []), ...missing] };
}

/** Another instance that starts at the same time may have created the object first, or its namespace is being deleted. */
const HARMLESS = ['AlreadyExists', 'Forbidden', 'NotFound'];

async function create(registry: Registry, resource: string, object: NewObject): Promise<void> {
  const outcome = await registry.create(resource, object, { request: 'admitted' });
  if (outcome.status === 'refused' && !HARMLESS.includes(outcome.error.reason)) throw outcome.error;
}
