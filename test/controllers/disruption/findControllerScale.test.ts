import { beforeEach, expect, test } from 'vitest';
import { widget, widgetDefinition, widgetVersion } from '../../support/widgetDefinition.ts';
import { DisruptionBench, LABELS, type Members } from './DisruptionBench.ts';

const SELECTOR = { matchLabels: LABELS };
const SCALE = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

let bench: DisruptionBench;
beforeEach(async () => {
  bench = new DisruptionBench();
  await bench.start();
});

/** Stores the definition as its controller leaves it. */
async function defineWidgets(subresources: Members): Promise<void> {
  const spec = { versions: [widgetVersion('v1', { subresources })] };
  const definition = await bench.create('customresourcedefinitions.apiextensions.k8s.io', widgetDefinition(spec));
  const names = { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList', singular: 'widget' };
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
  const status = { acceptedNames: names, conditions, storedVersions: ['v1'] };
  await bench.registry.update(
    'customresourcedefinitions.apiextensions.k8s.io',
    { ...definition, status },
    { subresource: 'status' },
  );
}

async function createWidget(spec: Members): Promise<Members> {
  const { metadata } = await bench.create('widgets.example.com', widget('web', spec));
  return { apiVersion: 'example.com/v1', kind: 'Widget', name: 'web', uid: metadata.uid, controller: true };
}

async function countFor(owner: Members): Promise<Members | undefined> {
  await bench.createPod('web-1', owner);
  await bench.createBudget({ maxUnavailable: 1 });
  await bench.settle();
  return await bench.budgetStatus();
}

test.each<[string, () => Promise<Members>, number]>([
  ['a ReplicaSet', () => bench.createReplicaSet(4), 4],
  [
    'the Deployment of a ReplicaSet',
    async () => {
      const spec = { replicas: 7, selector: SELECTOR };
      return bench.createReplicaSet(2, await bench.createWorkload('deployments.apps', 'Deployment', spec));
    },
    7,
  ],
  [
    'a ReplicaSet whose Deployment is gone',
    () =>
      bench.createReplicaSet(2, { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'x', controller: true }),
    2,
  ],
  [
    'a ReplicaSet of something else',
    () => bench.createReplicaSet(3, { apiVersion: 'a.b/v1', kind: 'Rollout', name: 'x', uid: 'x', controller: true }),
    3,
  ],
  [
    'a ReplicationController',
    () => bench.createWorkload('replicationcontrollers', 'ReplicationController', { replicas: 5, selector: LABELS }),
    5,
  ],
  [
    'a StatefulSet',
    () => bench.createWorkload('statefulsets.apps', 'StatefulSet', { replicas: 6, selector: SELECTOR }),
    6,
  ],
  [
    'a ReplicaSet that its pod names in a version of the past',
    async () => ({ ...(await bench.createReplicaSet(4)), apiVersion: 'extensions/v1beta1' }),
    4,
  ],
  [
    'a custom resource with a scale',
    async () => {
      await defineWidgets({ scale: SCALE });
      return createWidget({ replicas: 8 });
    },
    8,
  ],
])('a budget expects as many pods as is wanted by %s', async (_, createOwner, wanted) => {
  expect(await countFor(await createOwner())).toMatchObject({ expectedPods: wanted, desiredHealthy: wanted - 1 });
});

test.each<[string, () => Promise<Members>, string]>([
  [
    'a Job',
    () =>
      bench.createWorkload('jobs.batch', 'Job', {
        template: { spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Never' } },
      }),
    'jobs.batch does not implement the scale subresource',
  ],
  [
    'a DaemonSet',
    () => bench.createWorkload('daemonsets.apps', 'DaemonSet', { selector: SELECTOR }),
    'daemonsets.apps does not implement the scale subresource',
  ],
  [
    'a node',
    async () => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n', controller: true }),
    'nodes does not implement the scale subresource',
  ],
  [
    'a kind that is not served',
    async () => ({ apiVersion: 'v1', kind: 'Robot', name: 'r', uid: 'r', controller: true }),
    'no matches for kind "Robot" in version "v1"',
  ],
  [
    'a version that is not served',
    async () => ({ apiVersion: 'batch/v7', kind: 'Job', name: 'j', uid: 'j', controller: true }),
    'no matches for kind "Job" in version "batch/v7"',
  ],
  [
    'a controller that is gone',
    async () => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }),
    'found no controllers for pod "web-1"',
  ],
  [
    'a controller of another UID',
    async () => ({ ...(await bench.createReplicaSet(4)), uid: 'other' }),
    'found no controllers for pod "web-1"',
  ],
  [
    'a custom resource without a scale',
    async () => {
      await defineWidgets({ status: {} });
      return createWidget({ replicas: 8 });
    },
    'widgets.example.com does not implement the scale subresource',
  ],
  [
    'a custom object that does not say how many it wants',
    async () => {
      await defineWidgets({ scale: { ...SCALE, specReplicasPath: '.spec.size' } });
      return createWidget({});
    },
    'Internal error occurred: the spec replicas field ".spec.size" does not exist',
  ],
])('a budget is not computed for a pod of %s', async (_, createOwner, message) => {
  expect(await countFor(await createOwner())).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ status: 'False', reason: 'SyncFailed', message }],
  });
});
