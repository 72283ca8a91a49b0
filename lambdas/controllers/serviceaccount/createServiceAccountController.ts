import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Namespace } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reportDone } from './serviceAccountReasons.ts';

export interface ServiceAccountControllerDeps {
  /** The PEM certificates by which pods would trust the API. Empty where the API is served without TLS, or with a certificate of a public authority. */
  readonly rootCaBundle: string;
}

/** The names of the objects that every active namespace has. Kubernetes has two controllers for them: its service account controller and its root CA publisher. */
const DEFAULT_NAMES = { serviceaccounts: 'default', configmaps: 'kube-root-ca.crt' } as const;

/** Creates the service account `default` and the config map `kube-root-ca.crt` in every active namespace, and creates them again when they are deleted. */
export function createServiceAccountController({
  rootCaBundle,
}: ServiceAccountControllerDeps): Controller<SyncContext> {
  const keyFor = (name: string): WorkKey => ({ controller: 'serviceaccount', namespace: name, name });
  return {
    name: 'serviceaccount',
    resources: ['namespaces'],
    watches: ['namespaces', 'serviceaccounts', 'configmaps'],
    keysFor: async (change) => {
      const namespace = namespaceConcerned(change);
      return namespace === undefined ? [] : [{ key: keyFor(namespace) }];
    },
    keysToResync: ({ metadata }) => [keyFor(metadata.name)],
    sync: (key, { registry }) => syncNamespace(registry, rootCaBundle, key.name),
  };
}

function namespaceConcerned(change: Change): string | undefined {
  const { name, namespace, deletionTimestamp } = subjectOf(change).metadata;
  if (change.resource === 'namespaces') return change.type === 'ADDED' && !deletionTimestamp ? name : undefined;
  const ours = DEFAULT_NAMES[change.resource as keyof typeof DEFAULT_NAMES];
  // A config map that was edited is restored too, as Kubernetes' publisher does.
  const missed = change.type === 'DELETED' || (change.type === 'MODIFIED' && change.resource === 'configmaps');
  return missed && name === ours ? namespace : undefined;
}

/** Kubernetes' `syncNamespace` of both controllers. */
async function syncNamespace(registry: GuardedRegistry, rootCaBundle: string, name: string): Promise<SyncReport> {
  const namespace = await registry.get<Namespace>({ resource: 'namespaces', namespace: '', name });
  if (!namespace || namespace.metadata.deletionTimestamp !== undefined) {
    return reportDone({ reason: 'namespaceIsNotActive' });
  }
  const writes = [
    ...(await ensure(registry, 'serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: name },
    })),
    ...(await publish(registry, name, rootCaBundle)),
  ];
  return reportDone({ reason: 'namespaceIsEquipped' }, writes);
}

async function ensure(registry: GuardedRegistry, resource: string, object: NewObject): Promise<string[]> {
  const { name = '', namespace = '' } = object.metadata;
  if (await registry.get({ resource, namespace, name })) return [];
  const outcome = await registry.create(resource, object);
  // It exists already, or the namespace is being deleted: both are fine.
  if (outcome.status === 'refused' && !['AlreadyExists', 'Forbidden', 'NotFound'].includes(outcome.error.reason))
    throw outcome.error;
  return outcome.status === 'stored' ? [`create ${resource} ${namespace}/${name}`] : [];
}

async function publish(registry: GuardedRegistry, namespace: string, rootCaBundle: string): Promise<string[]> {
  const name = DEFAULT_NAMES.configmaps;
  const data = { 'ca.crt': rootCaBundle };
  const stored = await registry.get({ resource: 'configmaps', namespace, name });
  if (!stored)
    return ensure(registry, 'configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
  if (JSON.stringify(stored['data']) === JSON.stringify(data)) return [];
  const outcome = await registry.update('configmaps', { ...stored, data }, { from: stored });
  if (outcome.status === 'refused') throw outcome.error;
  return [`restore configmaps ${namespace}/${name}`];
}
