import { type ApiObject, type Component, type ComponentRequest, MERGE, sends, STRATEGIC } from '../ComponentRequest.ts';
import { CORE, controller, object, pod, podSpec, status } from './controller.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const BATCH = '/apis/batch/v1/namespaces/default';
const TIME = '2026-01-01T00:00:00Z';

/** A workload with the template and the selector of its pods. */
function workload(apiVersion: string, kind: string, name: string, more: object = {}): ApiObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: podSpec };
  return object(apiVersion, kind, name, { spec: { selector: { matchLabels: labels }, template, ...more } });
}

/** A Job that starts no pods. */
const suspended = { suspend: true, template: { spec: { ...podSpec, restartPolicy: 'Never' } } };

const selector = { matchLabels: { app: 'recorded' } };
const owned = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'recorded', controller: true, blockOwnerDeletion: true }],
});

/** Pods that a controller creates, adopts and deletes. */
function ownPods(name: string, apiVersion: string, kind: string): ComponentRequest[] {
  const created = `${name}-1`;
  const metadata = { name: created, labels: { app: name }, ...owned(apiVersion, kind, name) };
  const adopted = { metadata: { uid: 'another', ...owned(apiVersion, kind, name) } };
  return [
    sends.create(`${CORE}/pods`, { ...pod(created), metadata }),
    {
      ...sends.patch(`${CORE}/pods/${created}`, STRATEGIC, adopted),
      refused: { code: 422, why: 'the pod was created again since: its UID is another one' },
    },
    sends.remove(`${CORE}/pods/${created}`),
    ...sends.events(`${name}-controller`, { kind, namespace: 'default', name, apiVersion }),
  ];
}

/** The controllers of pods, and those that count and scale them. */
export const workloadControllers: readonly Component[] = [
  controller(
    'deployment-controller',
    [[`${APPS}/deployments`, workload('apps/v1', 'Deployment', 'deployed', { replicas: 0 })]],
    [
      sends.create(`${APPS}/replicasets`, workload('apps/v1', 'ReplicaSet', 'deployed', { replicas: 0 })),
      sends.update(`${APPS}/replicasets/deployed`, (replicaSet) => replicaSet),
      sends.update(`${APPS}/deployments/deployed`, (deployment) => deployment),
      status(`${APPS}/deployments/deployed`, { observedGeneration: 1 }),
      sends.remove(`${APPS}/replicasets/deployed`),
    ],
  ),
  controller(
    'replicaset-controller',
    [[`${APPS}/replicasets`, workload('apps/v1', 'ReplicaSet', 'replicated', { replicas: 0 })]],
    [
      ...ownPods('replicated', 'apps/v1', 'ReplicaSet'),
      status(`${APPS}/replicasets/replicated`, { replicas: 0, observedGeneration: 1 }),
    ],
  ),
  controller(
    'statefulset-controller',
    [[`${APPS}/statefulsets`, workload('apps/v1', 'StatefulSet', 'stateful', { replicas: 0, serviceName: 'x' })]],
    [
      sends.create(`${APPS}/controllerrevisions`, {
        ...object('apps/v1', 'ControllerRevision', 'stateful-1'),
        data: { spec: { template: {} } },
        revision: 1,
      }),
      sends.create(
        `${CORE}/persistentvolumeclaims`,
        object('v1', 'PersistentVolumeClaim', 'data-stateful-0', {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        }),
      ),
      ...ownPods('stateful', 'apps/v1', 'StatefulSet'),
      status(`${APPS}/statefulsets/stateful`, { replicas: 0, observedGeneration: 1 }),
      sends.remove(`${APPS}/controllerrevisions/stateful-1`),
    ],
  ),
  controller(
    'daemon-set-controller',
    [[`${APPS}/daemonsets`, workload('apps/v1', 'DaemonSet', 'daemon')]],
    [
      ...ownPods('daemon', 'apps/v1', 'DaemonSet'),
      status(`${APPS}/daemonsets/daemon`, {
        currentNumberScheduled: 0,
        desiredNumberScheduled: 0,
        numberMisscheduled: 0,
        numberReady: 0,
        observedGeneration: 1,
      }),
    ],
  ),
  controller(
    'job-controller',
    [
      [
        `${BATCH}/jobs`,
        object('batch/v1', 'Job', 'job', {
          spec: suspended,
        }),
      ],
    ],
    [
      ...ownPods('job', 'batch/v1', 'Job'),
      status(`${BATCH}/jobs/job`, { startTime: TIME, uncountedTerminatedPods: {} }),
      sends.patch(`${BATCH}/jobs/job`, MERGE, { metadata: { annotations: { recorded: 'true' } } }),
    ],
  ),
  controller(
    'cronjob-controller',
    [
      [
        `${BATCH}/cronjobs`,
        object('batch/v1', 'CronJob', 'cron', {
          spec: {
            schedule: '0 0 1 1 *',
            suspend: true,
            jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
          },
        }),
      ],
    ],
    [
      sends.create(
        `${BATCH}/jobs`,
        object('batch/v1', 'Job', 'cron-1', {
          spec: suspended,
        }),
      ),
      status(`${BATCH}/cronjobs/cron`, { lastScheduleTime: TIME }),
      sends.remove(`${BATCH}/jobs/cron-1`, { propagationPolicy: 'Background' }),
    ],
  ),
  controller(
    'ttl-after-finished-controller',
    [
      [
        `${BATCH}/jobs`,
        object('batch/v1', 'Job', 'finished', {
          spec: suspended,
        }),
      ],
    ],
    [sends.read(`${BATCH}/jobs/finished`), sends.remove(`${BATCH}/jobs/finished`, { propagationPolicy: 'Foreground' })],
  ),
  controller(
    'horizontal-pod-autoscaler',
    [
      [`${APPS}/deployments`, workload('apps/v1', 'Deployment', 'scaled', { replicas: 0 })],
      [
        '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        object('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaled', {
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' } },
        }),
      ],
    ],
    [
      sends.read(`${APPS}/deployments/scaled/scale`),
      sends.update(`${APPS}/deployments/scaled/scale`, (scale) => scale),
      sends.read('/apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app%3Dscaled'),
      status('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/scaled', {
        currentReplicas: 0,
        desiredReplicas: 0,
      }),
    ],
  ),
  controller(
    'disruption-controller',
    [
      [`${CORE}/pods`, pod('disrupted')],
      [
        '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
        object('policy/v1', 'PodDisruptionBudget', 'budget', { spec: { selector, minAvailable: 1 } }),
      ],
    ],
    [
      status('/apis/policy/v1/namespaces/default/poddisruptionbudgets/budget', {
        currentHealthy: 0,
        desiredHealthy: 1,
        disruptionsAllowed: 0,
        expectedPods: 0,
        observedGeneration: 1,
      }),
      sends.apply(`${CORE}/pods/disrupted/status`, 'DisruptionController', {
        ...object('v1', 'Pod', 'disrupted'),
        status: { conditions: [{ type: 'DisruptionTarget', status: 'False', lastTransitionTime: TIME }] },
      }),
    ],
  ),
];
