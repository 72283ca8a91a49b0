import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** Keeps everybody but daemons from the nodes that come and go. */
const FOR_DAEMONS = { key: 'for-daemons', effect: 'NoSchedule' };
/** The key of the taints that no daemon tolerates. */
const REPELLING = 'repelling';

/** Returns the DaemonSet that a script's `createDaemonSet` sends. */
export function newDaemonSet(op: Extract<ClientOp, { op: 'createDaemonSet' }>): NewObject {
  const { target, image, strategy, minReadySeconds, habits } = op;
  const { namespace, name, app } = target;
  const labels = { app };
  const template = {
    metadata: { labels, annotations: habitAnnotations(habits) },
    spec: {
      containers: [{ name: 'main', image }],
      tolerations: [{ key: FOR_DAEMONS.key, operator: 'Exists' }],
      terminationGracePeriodSeconds: 5,
    },
  };
  const spec = {
    selector: { matchLabels: labels },
    template,
    updateStrategy: strategy,
    minReadySeconds,
    revisionHistoryLimit: 2,
  };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { namespace, name, labels }, spec };
}

/** Returns the node that a script's `addNode` creates. */
export function newDaemonNode({ number }: Extract<ClientOp, { op: 'addNode' }>, nowMs: number): NewObject {
  return simulatedNode(number, { taints: [FOR_DAEMONS] }, nowMs);
}

/** Returns the taints of such a node: with one more that has this effect. */
export function daemonTaints(effect: 'NoSchedule' | 'NoExecute' | undefined) {
  return [FOR_DAEMONS, ...(effect ? [{ key: REPELLING, effect }] : [])];
}
