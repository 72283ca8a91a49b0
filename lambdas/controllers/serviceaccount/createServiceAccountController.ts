import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Namespace } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../guardWrites.ts';

export interface ServiceAccountControllerDeps {
  /** PEM certificates that pods would trust the API by; empty where the API is served without TLS, or by a public authority. */
  readonly rootCaBundle: string;
}

/** What every active namespace has: Kubernetes' service account controller and root CA publisher, in one. */
const FURNITURE = { serviceaccounts: 'default', configmaps: 'kube-root-ca.crt' } as const;

/** Puts the service account `default` and the config map `kube-root-ca.crt` into every active namespace, again when they are deleted. */
export function createServiceAccountController({
  rootCaBundle,
}: ServiceAccountControllerDeps): Controller<SyncContext> {
  const keyFor = (name: string): WorkKey => ({ controller: 'serviceaccount', namespace: name, name });
  return {
    name: 'serviceaccount',
    resources: ['namespaces'],
    watches: ['namespaces', 'serviceaccounts', 'configmaps'],
    keysFor: async (change) => {
      const namespace = namespaceToFurnish(change);
      return namespace === undefined ? [] : [{ key: keyFor(namespace) }];
    },
    keysToResync: ({ metadata }) => [keyFor(metadata.name)],
    sync: (key, { late }) => furnish(late.registry, rootCaBundle, key.name),
  };
}

function namespaceToFurnish(change: Change): string | undefined {
  const { name, namespace, deletionTimestamp } = subjectOf(change).metadata;
  if (change.resource === 'namespaces') return change.type === 'ADDED' && !deletionTimestamp ? name : undefined;
  const ours = FURNITURE[change.resource as keyof typeof FURNITURE];
  // A config map that was edited is put right again too, as its publisher does.
  const missed = change.type === 'DELETED' || (change.type === 'MODIFIED' && change.resource === 'configmaps');
  return missed && name === ours ? namespace : undefined;
}

async function furnish(registry: GuardedRegistry, rootCaBundle: string, name: string): Promise<SyncReport> {
  const namespace = await registry.get<Namespace>({ resource: 'namespaces', namespace: '', name });
  if (!namespace || namespace.metadata.deletionTimestamp !== undefined) {
    return { outcome: { status: 'done' }, why: ['The namespace is not active.'], writes: [] };
  }
  const writes = [
    ...(await ensure(registry, 'serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: name },
    })),
    ...(await publish(registry, name, rootCaBundle)),
  ];
  return { outcome: { status: 'done' }, why: ['An active namespace has a service account and the root CA.'], writes };
}

async function ensure(registry: GuardedRegistry, resource: string, object: NewObject): Promise<string[]> {
  const { name = '', namespace = '' } = object.metadata;
  if (await registry.get({ resource, namespace, name })) return [];
  const outcome = await registry.create(resource, object);
  // Someone else was first, or the namespace goes: both are all right.
  if (outcome.status === 'refused' && !['AlreadyExists', 'Forbidden', 'NotFound'].includes(outcome.error.reason))
    throw outcome.error;
  return outcome.status === 'stored' ? [`create ${resource} ${namespace}/${name}`] : [];
}

async function publish(registry: GuardedRegistry, namespace: string, rootCaBundle: string): Promise<string[]> {
  const name = FURNITURE.configmaps;
  const data = { 'ca.crt': rootCaBundle };
  const stored = await registry.get({ resource: 'configmaps', namespace, name });
  if (!stored)
    return ensure(registry, 'configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
  if (JSON.stringify(stored['data']) === JSON.stringify(data)) return [];
  const outcome = await registry.update('configmaps', { ...stored, data }, { from: stored });
  if (outcome.status === 'refused') throw outcome.error;
  return [`restore configmaps ${namespace}/${name}`];
}
