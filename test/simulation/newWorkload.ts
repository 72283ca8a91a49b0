import { AUTO_ROLLBACK } from '../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp, Target } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** Returns the object that a script's `create` sends. */
export function newWorkload({
  target,
  replicas,
  image,
  strategy,
  minReadySeconds,
  habits,
  progressDeadlineSeconds,
  autoRollback = false,
}: Extract<ClientOp, { op: 'create' }>): NewObject {
  const { namespace, name, app } = target;
  const labels = { app };
  const annotations = habitAnnotations(habits);
  const template = { metadata: { labels, annotations }, spec: { containers: [{ name: 'main', image }] } };
  const metadata = { namespace, name, labels };
  const common = { replicas, minReadySeconds, template };
  switch (target.resource) {
    case 'deployments.apps': {
      const spec = {
        ...common,
        selector: { matchLabels: labels },
        strategy,
        revisionHistoryLimit: 3,
        ...(progressDeadlineSeconds !== undefined && { progressDeadlineSeconds }),
      };
      const wishes = autoRollback ? { annotations: { [AUTO_ROLLBACK]: 'true' } } : {};
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...metadata, ...wishes }, spec };
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
    case 'configmaps':
    case 'secrets':
      throw new Error('data is created by giveData');
    case 'cronjobs.batch':
      throw new Error('a CronJob is created by createCronJob');
    case 'horizontalpodautoscalers.autoscaling':
      throw new Error('an autoscaler is created by createAutoscaler');
    case 'poddisruptionbudgets.policy':
      throw new Error('a budget is created by createBudget');
    case 'daemonsets.apps':
    case 'nodes':
      throw new Error('a DaemonSet and a node are created by createDaemonSet and addNode');
    case 'statefulsets.apps':
      throw new Error('a StatefulSet is created by createStatefulSet');
    case 'jobs.batch':
      throw new Error('a Job is created by createJob');
  }
}

export const QUOTA_NAME = 'few-pods';

export function newQuota(namespace: string, pods: number): NewObject {
  const spec = { hard: { pods: String(pods) } };
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name: QUOTA_NAME }, spec };
}

/** A pod that runs for so many seconds and is not restarted. */
export function newEndingPod({ target, seconds, exitCode }: Extract<ClientOp, { op: 'runPod' }>): NewObject {
  const { namespace, app } = target;
  const annotations = {
    'simulate.driftless.dev/complete-after': `${seconds}s`,
    'simulate.driftless.dev/exit-code': String(exitCode),
  };
  const metadata = { namespace, name: `${app}-job-${seconds}`, labels: { app }, annotations };
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** A ReplicaSet without pods that has a name which a Deployment will want. */
export function newNameTaker({ namespace }: Target, name: string): NewObject {
  const labels = { app: 'name-taker' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app:1' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { namespace, name }, spec };
}
