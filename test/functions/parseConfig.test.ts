import { expect, test } from 'vitest';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { KUBERNETES_RELEASES } from '../../lambdas/objects/KubernetesRelease.ts';
import { createControllers } from '../../lambdas/functions/sync/createControllers.ts';
import { servedEntries } from '../../lambdas/functions/servedEntries.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { openTestPorts } from '../support/openTestPorts.ts';

test('an empty configuration runs every controller with Kubernetes` numbers of workers', () => {
  const { controllers, resyncPeriodMs } = parseConfig();
  expect(controllers.deployment).toEqual({ enabled: true, workers: 5 });
  expect(controllers.garbagecollector).toEqual({ enabled: true, workers: 20 });
  expect(resyncPeriodMs).toBe(24 * 60 * 60 * 1_000);
});

test('given fields replace the defaults', () => {
  const config = parseConfig({
    controllers: { pod: { workers: 1 }, namespace: { enabled: false } },
    apiVersions: { 'autoscaling/v1': false },
    resyncPeriodMs: 60_000,
  });
  expect(config.controllers.pod).toEqual({ enabled: true, workers: 1 });
  expect(config.controllers.namespace.enabled).toBe(false);
  expect(config.apiVersions).toEqual({ 'autoscaling/v1': false });
  expect(config.resyncPeriodMs).toBe(60_000);
});

test('the burst of a limit is what comes in two seconds, unless it is named', () => {
  expect(parseConfig().requestLimits).toBeUndefined();
  expect(parseConfig({ requestLimits: { user: { perSecond: 20 } } }).requestLimits).toEqual({
    user: { perSecond: 20, burst: 40 },
  });
  const namespace = { perSecond: 20, burst: 100 };
  expect(parseConfig({ requestLimits: { namespace } }).requestLimits).toEqual({ namespace });
});

test.each([
  [null, 'config: must be an object, not null'],
  [[], 'config: must be an object, not []'],
  [
    { controler: {} },
    'config: has no field "controler"; it has kubernetesVersion, controllers, apiVersions, resyncPeriodMs, terminatedPodGcThreshold, webhookServices',
  ],
  [
    { controllers: { deployments: {} } },
    'config controllers: has no field "deployments"; it has deployment, replicaset,',
  ],
  [{ controllers: { pod: true } }, 'config controllers.pod: must be an object, not true'],
  [
    { controllers: { pod: { workers: 'five' } } },
    'config controllers.pod.workers: must be an integer from 1 to 1000, not "five"',
  ],
  [
    { controllers: { pod: { workers: 0 } } },
    'config controllers.pod.workers: must be an integer from 1 to 1000, not 0',
  ],
  [
    { controllers: { pod: { workers: 1.5 } } },
    'config controllers.pod.workers: must be an integer from 1 to 1000, not 1.5',
  ],
  [{ controllers: { pod: { enabled: 'yes' } } }, 'config controllers.pod.enabled: must be true or false, not "yes"'],
  [
    { webhookServices: { hook: '127.0.0.1:1' } },
    'config webhookServices: must name services as NAMESPACE/NAME, not "hook"',
  ],
  [
    { webhookServices: { 'a/b': 'https://127.0.0.1' } },
    'config webhookServices.a/b: must be HOST:PORT, not "https://127.0.0.1"',
  ],
  [
    { kubernetesVersion: '1.28' },
    `config kubernetesVersion: must be one of ${KUBERNETES_RELEASES.join(', ')}, not "1.28"`,
  ],
  [{ apiVersions: { v1: 1 } }, 'config apiVersions.v1: must be true or false, not 1'],
  [{ requestLimits: {} }, 'config requestLimits: must have user, namespace or both'],
  [{ requestLimits: { users: {} } }, 'config requestLimits: has no field "users"; it has user, namespace'],
  [
    { requestLimits: { user: {} } },
    'config requestLimits.user.perSecond: must be an integer from 1 to 10000, not undefined',
  ],
  [
    { requestLimits: { namespace: { perSecond: 5, burst: 0 } } },
    'config requestLimits.namespace.burst: must be an integer from 1 to 100000, not 0',
  ],
  [{ resyncPeriodMs: 5 }, 'config resyncPeriodMs: must be an integer from 1000'],
  [{ terminatedPodGcThreshold: -1 }, 'config terminatedPodGcThreshold: must be an integer from 0'],
])('%j is refused: %s', (value, message) => {
  expect(() => parseConfig(value)).toThrow(message);
});

test('versions that are switched off are not served, nor resources without a version left', () => {
  const entries = servedEntries(resourceEntries, parseConfig({ apiVersions: { v1: false } }));
  expect(entries.map(({ groupResource }) => groupResource)).not.toContain('pods');
  expect(entries.map(({ groupResource }) => groupResource)).toContain('deployments.apps');
});

test.each([
  [
    'all of them by default',
    {},
    [
      'deployment',
      'replicaset',
      'replicationcontroller',
      'job',
      'ttlafterfinished',
      'cronjob',
      'daemonset',
      'horizontalpodautoscaler',
      'statefulset',
      'pod',
      'scheduler',
      'garbagecollector',
      'namespace',
      'serviceaccount',
      'resourcequota',
      'customresourcedefinition',
      'endpoint',
      'endpointslice',
      'endpointslicemirroring',
      'disruption',
      'pvcprotection',
      'pvprotection',
      'persistentvolume',
      'validatingadmissionpolicystatus',
      'nodelifecycle',
      'tainteviction',
      'podgc',
    ],
  ],
  [
    'not one that is switched off',
    { controllers: { pod: { enabled: false }, namespace: { enabled: false } } },
    [
      'deployment',
      'replicaset',
      'replicationcontroller',
      'job',
      'ttlafterfinished',
      'cronjob',
      'daemonset',
      'horizontalpodautoscaler',
      'statefulset',
      'scheduler',
      'garbagecollector',
      'serviceaccount',
      'resourcequota',
      'customresourcedefinition',
      'endpoint',
      'endpointslice',
      'endpointslicemirroring',
      'disruption',
      'pvcprotection',
      'pvprotection',
      'persistentvolume',
      'validatingadmissionpolicystatus',
      'nodelifecycle',
      'tainteviction',
      'podgc',
    ],
  ],
  [
    'not one whose resource is not served',
    { apiVersions: { v1: false } },
    [
      'deployment',
      'replicaset',
      'ttlafterfinished',
      'cronjob',
      'garbagecollector',
      'customresourcedefinition',
      'validatingadmissionpolicystatus',
    ],
  ],
])('controllers that start: %s', (_, value, names) => {
  const config = parseConfig(value);
  const { ports, registry } = openTestPorts();
  const entries = servedEntries(resourceEntries, config);
  const controllers = createControllers({
    ports,
    registry,
    catalog: createResourceCatalog(entries),
    config,
    lateCreatesMs: 0,
    log: () => {},
  });
  expect(controllers.map(({ name }) => name)).toEqual(names);
});
