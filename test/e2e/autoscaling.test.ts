import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AutoscalerBench } from '../support/AutoscalerBench.ts';
import { autoscalerManifest, loadedDeployment, utilization } from '../support/autoscalerFixtures.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { widget, widgetDefinition, widgetVersion } from '../support/widgetDefinition.ts';

let bench: AutoscalerBench;
beforeEach(async () => {
  bench = await AutoscalerBench.start();
});

describe('an autoscaler', () => {
  test('follows a load that rises and falls, and waits five minutes before it removes pods', async () => {
    await bench.cluster.apply(loadedDeployment(1, { 'load-cpu': '0s=50m,10m=400m,20m=40m' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('9m50s');
    expect(await bench.replicas()).toBe(1);
    // One sync may go to four, the next, when their usage counts, to eight.
    expect(await bench.replicasOver(6, '20s')).toEqual([4, 8, 8, 8, 8, 8]);
    const { status } = await bench.autoscaler();
    expect(status).toMatchObject({ currentReplicas: 8, desiredReplicas: 8, observedGeneration: 1 });
    expect(status?.currentMetrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '50m' } } },
    ]);
    expect(await bench.conditions()).toEqual([
      'AbleToScale True ReadyForNewScale',
      'ScalingActive True ValidMetricFound',
      'ScalingLimited False DesiredWithinRange',
    ]);
    await bench.cluster.advance('12m30s');
    expect(await bench.replicas()).toBe(8);
    expect(await bench.conditions()).toContain('AbleToScale True ScaleDownStabilized');
    await bench.cluster.advance('1m');
    expect(await bench.replicas()).toBe(1);
    expect((await bench.events()).filter((event) => event.startsWith('Normal'))).toEqual([
      'Normal SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target',
      'Normal SuccessfulRescale New size: 8; reason: cpu resource utilization (percentage of request) above target',
      'Normal SuccessfulRescale New size: 1; reason: All metrics below target',
    ]);
  });

  test('stays within its bounds, and says so', async () => {
    await bench.cluster.apply(loadedDeployment(3, { 'load-cpu': '3' }));
    await bench.cluster.apply(autoscalerManifest({ minReplicas: 2, maxReplicas: 5 }));
    await bench.cluster.advance('2m');
    expect(await bench.replicas()).toBe(5);
    expect(await bench.conditions()).toContain('ScalingLimited True TooManyReplicas');
    await bench.cluster.patch('hpa/web', { spec: { maxReplicas: 3 } });
    await bench.cluster.advance('20s');
    expect(await bench.replicas()).toBe(3);
    expect((await bench.events()).at(-1)).toBe(
      'Normal SuccessfulRescale New size: 3; reason: Current number of replicas above Spec.MaxReplicas',
    );
    expect((await bench.autoscaler()).status?.observedGeneration).toBe(2);
  });

  test('is switched off by 0 replicas', async () => {
    await bench.cluster.apply(loadedDeployment(0, { 'load-cpu': '3' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('1m');
    expect([await bench.replicas(), await bench.conditions()]).toEqual([
      0,
      ['AbleToScale True SucceededGetScale', 'ScalingActive False ScalingDisabled'],
    ]);
    await bench.cluster.patch('deployment/web', { spec: { replicas: 1 } });
    await bench.cluster.advance('2m');
    expect(await bench.replicas()).toBeGreaterThan(1);
  });

  test('says what it cannot find', async () => {
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('20s');
    expect(await bench.messageOf('AbleToScale')).toBe(
      'the HPA controller was unable to get the target\'s current scale: deployments/scale.apps "web" not found',
    );
    expect(await bench.events()).toContain('Warning FailedGetScale deployments/scale.apps "web" not found');
  });

  test('changes nothing while pods do not say what they use', async () => {
    await bench.cluster.apply(loadedDeployment(3, {}, { 'no-metrics': 'true' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('1m');
    const message =
      'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API';
    expect(await bench.replicas()).toBe(3);
    expect(await bench.messageOf('ScalingActive')).toBe(`the HPA was unable to compute the replica count: ${message}`);
    const events = await bench.events();
    expect(events).toContain(`Warning FailedGetResourceMetric ${message}`);
    expect(events).toContain(
      `Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${message}`,
    );
    expect((await bench.autoscaler()).status?.currentMetrics).toEqual([{ type: '' }]);
  });

  test('says which annotation it cannot read', async () => {
    await bench.cluster.apply(loadedDeployment(2, { 'load-cpu': 'much' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('1m');
    expect(await bench.messageOf('ScalingActive')).toContain(
      'Deployment default/web: simulate.driftless.dev/load-cpu: "much" is not an amount such as 250m, or amounts and the times from which they hold, such as 0s=200m,5m=2',
    );
  });

  test('takes the most that any metric asks for, and removes nothing while one of them is not known', async () => {
    await bench.cluster.apply(loadedDeployment(4, { 'load-cpu': '40m', 'load-rps': '60' }));
    const pods = { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } };
    const metrics = [utilization(50), { type: 'Pods', pods }];
    await bench.cluster.apply(autoscalerManifest({ metrics }));
    await bench.cluster.advance('1m');
    expect(await bench.replicas()).toBe(6);
    await bench.simulate({ 'load-rps': 'many' });
    await bench.cluster.advance('10m');
    expect(await bench.replicas()).toBe(6);
    expect(await bench.conditions()).toContain('ScalingActive False FailedGetPodsMetric');
    await bench.simulate({ 'load-rps': '0' });
    await bench.cluster.advance('7m');
    expect(await bench.replicas()).toBe(1);
  });

  test('scales by metrics of a container, of an object and of something outside', async () => {
    const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'web' };
    const container = { name: 'memory', container: 'main', target: { type: 'AverageValue', averageValue: '50Mi' } };
    const object = { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '100' } };
    const matchLabels = { queue: 'orders' };
    const external = {
      metric: { name: 'queue', selector: { matchLabels } },
      target: { type: 'AverageValue', averageValue: '30' },
    };
    await bench.cluster.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', annotations: { 'simulate.driftless.dev/metric-hits': '0s=100,5m=400' } },
      spec: { ports: [{ port: 80 }] },
    });
    const queues = '{queue=orders}0s=60,10m=210;{queue=mail}9k';
    await bench.cluster.patch('namespace/default', {
      metadata: { annotations: { 'simulate.driftless.dev/external-queue': queues } },
    });
    await bench.cluster.apply(loadedDeployment(2, { 'load-memory': '0s=100Mi,15m=500Mi' }));
    const metrics = [
      { type: 'ContainerResource', containerResource: container },
      { type: 'Object', object },
      { type: 'External', external },
    ];
    await bench.cluster.apply(autoscalerManifest({ maxReplicas: 20, metrics }));
    await bench.cluster.advance('4m');
    expect(await bench.replicas()).toBe(2);
    const { currentMetrics } = (await bench.autoscaler()).status ?? {};
    expect(currentMetrics).toEqual([
      {
        type: 'ContainerResource',
        containerResource: { name: 'memory', container: 'main', current: { averageValue: '52428800' } },
      },
      { type: 'Object', object: { metric: { name: 'hits' }, describedObject, current: { value: '100' } } },
      { type: 'External', external: { metric: external.metric, current: { averageValue: '30' } } },
    ]);
    // The value of an object does not fall when there are more pods: four times the target for two pods, then for four, and so on.
    await bench.cluster.advance('150s');
    expect(await bench.replicas()).toBe(20);
    expect((await bench.events()).at(-1)).toContain('reason: Service metric hits above target');
    await bench.cluster.patch('service/web', {
      metadata: { annotations: { 'simulate.driftless.dev/metric-hits': '0' } },
    });
    await bench.cluster.advance('7m');
    expect(await bench.replicas()).toBe(7);
    await bench.cluster.advance('3m');
    expect(await bench.replicas()).toBe(10);
  });

  test('refuses to scale pods that another autoscaler scales, too', async () => {
    await bench.cluster.apply(loadedDeployment(2, { 'load-cpu': '900m' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.apply(autoscalerManifest({}, { name: 'other' }));
    await bench.cluster.advance('1m');
    expect(await bench.messageOf('ScalingActive')).toBe(
      'pods by selector app=web are controlled by multiple HPAs: [{default other} {default web}]',
    );
    expect(await bench.conditions()).toContain('ScalingActive False AmbiguousSelector');
    await bench.cluster.delete('hpa/other');
    await bench.cluster.advance('1m');
    expect(await bench.conditions()).toContain('ScalingActive True ValidMetricFound');
  });

  test('keeps to the rates of its behavior', async () => {
    await bench.cluster.apply(loadedDeployment(1, { 'load-cpu': '1' }));
    const scaleUp = { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] };
    await bench.cluster.apply(autoscalerManifest({ behavior: { scaleUp } }));
    await bench.cluster.advance('5s');
    const sizes = await bench.replicasOver(6, '30s');
    expect(sizes.every((size, nth) => size - (sizes[nth - 1] ?? 1) <= 2)).toBe(true);
    expect(sizes.at(-1)).toBe(7);
    expect(await bench.conditions()).toContain('ScalingLimited True ScaleUpLimit');
  });

  const { template } = loadedDeployment(1).spec;
  const matchLabels = { app: 'web' };
  const TARGETS = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { selector: { matchLabels }, template } },
    { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { serviceName: 'web', selector: { matchLabels }, template } },
    { apiVersion: 'v1', kind: 'ReplicationController', spec: { selector: matchLabels, template } },
  ];

  test.each(TARGETS)('scales a $kind', async ({ apiVersion, kind, spec }) => {
    const metadata = { name: 'web', namespace: 'default' };
    await bench.cluster.apply({ apiVersion, kind, metadata, spec: { replicas: 9, ...spec } });
    await bench.cluster.apply(
      autoscalerManifest({ scaleTargetRef: { apiVersion, kind, name: 'web' }, maxReplicas: 4 }),
    );
    await bench.cluster.advance('20s');
    expect((await bench.cluster.get(`${kind.toLowerCase()}/web`)).spec).toMatchObject({ replicas: 4 });
  });

  test('scales a custom resource that has a scale, by any of its versions', async () => {
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    };
    const versions = [widgetVersion('v1', { subresources: { status: {}, scale } })];
    await bench.cluster.apply(widgetDefinition({ versions }));
    await bench.cluster.apply(widget('web', { replicas: 9 }));
    const scaleTargetRef = { apiVersion: 'example.com/v1beta7', kind: 'Widget', name: 'web' };
    await bench.cluster.apply(autoscalerManifest({ scaleTargetRef, maxReplicas: 4 }));
    await bench.cluster.advance('20s');
    expect((await bench.cluster.get('widgets.example.com/web'))['spec']).toEqual({ replicas: 4 });
    await bench.cluster.advance('20s');
    expect(await bench.messageOf('ScalingActive')).toBe("the HPA target's scale is missing a selector");
    expect(await bench.events()).toContain('Warning SelectorRequired selector is required');
  });

  test.each([
    ['Unheard', 'no matches for kind "Unheard" in group "apps"'],
    ['DaemonSet', 'daemonsets.apps does not implement the scale subresource'],
  ])('says that a %s cannot be scaled', async (kind, why) => {
    await bench.cluster.apply(autoscalerManifest({ scaleTargetRef: { apiVersion: 'apps/v1', kind, name: 'web' } }));
    await bench.cluster.advance('20s');
    expect(await bench.messageOf('AbleToScale')).toContain(why);
  });

  test('remembers over a restart what it recommended', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'autoscaling-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const before = await AutoscalerBench.start({ dataDir });
    await before.cluster.apply(loadedDeployment(4, { 'load-cpu': '0s=400m,5m=80m' }));
    await before.cluster.apply(autoscalerManifest());
    await before.cluster.advance('5m30s');
    expect(await before.replicas()).toBe(8);
    await before.cluster.stop();
    const after = new AutoscalerBench(await startTestCluster({ clock: 'virtual', dataDir }));
    await after.cluster.advance('4m');
    expect(await after.replicas()).toBe(8);
    await after.cluster.advance('1m');
    expect(await after.replicas()).toBe(2);
  });
});
