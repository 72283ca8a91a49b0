import { autoscalerManifest, loadedDeployment, utilization } from '../../support/autoscalerFixtures.ts';
import { CLAIM_SPEC, job, jobSpec, named, pod, withImage, withSpec, workload } from './manifests.ts';
import type { Stories } from './Story.ts';

/** What the controllers of workloads have to do. */
export const WORKLOAD_STORIES = {
  deployment: {
    'rolls out another image': {
      begin: (bench) => bench.create('deployments.apps', workload('Deployment', { replicas: 2 })),
      change: (bench) => bench.update('deployments.apps', 'web', withImage('nginx:2')),
    },
    'is created': {
      change: (bench) => bench.create('deployments.apps', workload('Deployment', { replicas: 2 })),
    },
  },
  replicaset: {
    'grows, and adopts a pod': {
      begin: async (bench) => {
        await bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 1 }));
      },
      change: async (bench) => {
        await bench.create('pods', pod('stray'));
        await bench.update('replicasets.apps', 'web', withSpec({ replicas: 4 }));
      },
    },
    shrinks: {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 4 })),
      change: (bench) => bench.update('replicasets.apps', 'web', withSpec({ replicas: 2 })),
    },
  },
  replicationcontroller: {
    grows: {
      begin: (bench) => bench.create('replicationcontrollers', workload('ReplicationController', { replicas: 1 })),
      change: (bench) => bench.update('replicationcontrollers', 'web', withSpec({ replicas: 3 })),
    },
  },
  job: {
    'runs two pods at a time': {
      change: (bench) => bench.create('jobs.batch', job('work', { completions: 3, parallelism: 2 })),
      withinMs: 10 * 60_000,
    },
    'has indexes, and a pod that fails': {
      change: (bench) =>
        bench.create(
          'jobs.batch',
          job('work', { completions: 2, parallelism: 2, completionMode: 'Indexed' }, { 'fail-attempts': '1' }),
        ),
      withinMs: 10 * 60_000,
    },
    'is suspended and resumed': {
      begin: (bench) => bench.create('jobs.batch', job('work', { suspend: true })),
      change: (bench) => bench.update('jobs.batch', 'work', withSpec({ suspend: false })),
      withinMs: 10 * 60_000,
    },
  },
  ttlafterfinished: {
    'removes a Job that has ended': {
      begin: (bench) => bench.create('jobs.batch', job('work')),
      change: (bench) => bench.update('jobs.batch', 'work', withSpec({ ttlSecondsAfterFinished: 1 })),
    },
  },
  cronjob: {
    'runs each hour': {
      change: (bench) =>
        bench.create(
          'cronjobs.batch',
          named('CronJob', 'tick', { spec: { schedule: '0 * * * *', jobTemplate: { spec: jobSpec() } } }, 'batch/v1'),
        ),
      withinMs: 30 * 60_000,
    },
  },
  daemonset: {
    'rolls out another image': {
      begin: (bench) => bench.create('daemonsets.apps', workload('DaemonSet')),
      change: (bench) => bench.update('daemonsets.apps', 'web', withImage('nginx:2')),
      withinMs: 10 * 60_000,
    },
    'is created': { change: (bench) => bench.create('daemonsets.apps', workload('DaemonSet')) },
  },
  horizontalpodautoscaler: {
    'wants more replicas': {
      begin: (bench) => bench.create('deployments.apps', loadedDeployment(1, { 'cpu-load': '300m' })),
      change: (bench) =>
        bench.create(
          'horizontalpodautoscalers.autoscaling',
          autoscalerManifest({ maxReplicas: 4, metrics: [utilization(50)] }),
        ),
      withinMs: 15 * 60_000,
    },
  },
  statefulset: {
    'grows, with claims': {
      begin: (bench) =>
        bench.create(
          'statefulsets.apps',
          workload('StatefulSet', {
            replicas: 1,
            volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: CLAIM_SPEC }],
          }),
        ),
      change: (bench) => bench.update('statefulsets.apps', 'web', withSpec({ replicas: 3 })),
      withinMs: 10 * 60_000,
    },
    'rolls out another image': {
      begin: (bench) => bench.create('statefulsets.apps', workload('StatefulSet', { replicas: 2 })),
      change: (bench) => bench.update('statefulsets.apps', 'web', withImage('nginx:2')),
      withinMs: 10 * 60_000,
    },
  },
  disruption: {
    'counts the pods of a new budget': {
      begin: (bench) => bench.create('replicasets.apps', workload('ReplicaSet', { replicas: 2 })),
      change: async (bench) => {
        const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
        await bench.create('poddisruptionbudgets.policy', named('PodDisruptionBudget', 'web', { spec }, 'policy/v1'));
      },
    },
  },
} satisfies Readonly<Record<string, Stories>>;
