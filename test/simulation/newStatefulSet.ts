import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { StatefulSet } from '../../lambdas/objects/kinds.ts';
import type { ClientOp } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** Returns the StatefulSet that a script's `createStatefulSet` sends. */
export function newStatefulSet(op: Extract<ClientOp, { op: 'createStatefulSet' }>): NewObject {
  const { target, replicas, isParallel, isOnDelete, start, partition, maxUnavailable, minReadySeconds, image } = op;
  const { namespace, name, app } = target;
  const labels = { app };
  const annotations = habitAnnotations(op.habits);
  const rollingUpdate = { partition, ...(maxUnavailable !== undefined && { maxUnavailable }) };
  const spec = {
    replicas,
    serviceName: name,
    podManagementPolicy: isParallel ? 'Parallel' : 'OrderedReady',
    updateStrategy: isOnDelete ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate },
    ordinals: { start },
    minReadySeconds,
    revisionHistoryLimit: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } },
  };
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { namespace, name, labels }, spec };
}

/** Returns the spec with another partition. A set that is updated on delete has none. */
export function withPartition(given: object | undefined, partition: number): unknown {
  const spec = given as StatefulSet['spec'];
  const { updateStrategy } = spec ?? {};
  if (updateStrategy?.type === 'OnDelete') return spec;
  return {
    ...spec,
    updateStrategy: { ...updateStrategy, rollingUpdate: { ...updateStrategy?.rollingUpdate, partition } },
  };
}
