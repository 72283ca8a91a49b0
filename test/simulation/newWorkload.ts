import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp } from './ClientOp.ts';

/** The object that a script's `create` sends. */
export function newWorkload({
  target,
  replicas,
  image,
  strategy,
  minReadySeconds,
  habits,
}: Extract<ClientOp, { op: 'create' }>): NewObject {
  const { namespace, name } = target;
  const labels = { app: name };
  const annotations = Object.fromEntries(
    Object.entries(habits).map(([habit, value]) => [`simulate.driftless.dev/${habit}`, value]),
  );
  const template = { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } };
  const metadata = { namespace, name, labels };
  const common = { replicas, minReadySeconds, template };
  switch (target.resource) {
    case 'deployments.apps': {
      const spec = { ...common, selector: { matchLabels: labels }, strategy, revisionHistoryLimit: 3 };
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
    }
    case 'replicasets.apps':
      return {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata,
        spec: { ...common, selector: { matchLabels: labels } },
      };
    case 'replicationcontrollers':
      return { apiVersion: 'v1', kind: 'ReplicationController', metadata, spec: { ...common, selector: labels } };
  }
}
