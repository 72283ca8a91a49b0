import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp, Needed, Target } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** The key that the pods need. */
const KEY = 'needed';
const KINDS = { configmaps: 'ConfigMap', secrets: 'Secret' } as const;

/** Returns the ReplicaSet that a script's `createWaiters` sends. */
export function newWaiters({
  target,
  replicas,
  needed,
  habits,
}: Extract<ClientOp, { op: 'createWaiters' }>): NewObject {
  const { namespace, name, app } = target;
  const labels = { app };
  const template = {
    metadata: { labels, annotations: habitAnnotations(habits) },
    spec: { ...specOf(needed), terminationGracePeriodSeconds: 5 },
  };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { namespace, name, labels }, spec };
}

function specOf({ resource, name, as }: Needed) {
  const container = { name: 'main', image: 'waiter:1' };
  if (as === 'variable') {
    const source = { name, key: KEY };
    const valueFrom = resource === 'secrets' ? { secretKeyRef: source } : { configMapKeyRef: source };
    return { containers: [{ ...container, env: [{ name: 'NEEDED', valueFrom }] }] };
  }
  const items = [{ key: KEY, path: KEY }];
  const volume = resource === 'secrets' ? { secret: { secretName: name, items } } : { configMap: { name, items } };
  return {
    containers: [{ ...container, volumeMounts: [{ name: 'needed', mountPath: '/needed' }] }],
    volumes: [{ name: 'needed', ...volume }],
  };
}

/** Returns the ConfigMap or the Secret of a script's `giveData`. */
export function newData(target: Target, hasKey: boolean): NewObject {
  const { resource, namespace, name } = target;
  const kind = KINDS[resource as keyof typeof KINDS];
  return { apiVersion: 'v1', kind, metadata: { namespace, name }, data: dataOf(hasKey) };
}

/** Returns what it contains. */
export function dataOf(hasKey: boolean): Readonly<Record<string, string>> {
  return hasKey ? { [KEY]: 'MQ==' } : { other: 'MQ==' };
}
