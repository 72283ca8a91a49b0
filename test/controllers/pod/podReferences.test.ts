import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { keysOfWaitingPods } from '../../../lambdas/controllers/pod/keysOfWaitingPods.ts';
import { createPodController } from '../../../lambdas/controllers/pod/createPodController.ts';
import { RecentWaits } from '../../../lambdas/controllers/pod/WaitNotice.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const REMEMBER_MS = 3_000;
const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'default' }, data: { k: '1' } };
const VARIABLE = { env: [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'x', key: 'k' } } }] };
const VOLUMES = { volumes: [{ name: 'v', configMap: { name: 'x' } }] };

/** A cluster with kubelets, which counts what is read. */
class ReferencesBench extends ControllerBench {
  readonly reads: string[] = [];
  readonly events: EventToRecord[] = [];
  readonly counting = {
    get: (async (key: ObjectKey) => {
      this.reads.push(`${key.resource} ${key.name}`);
      return await this.registry.get(key);
    }) as typeof this.registry.get,
    list: this.registry.list.bind(this.registry),
  };

  static async start(nodesRememberMs?: number): Promise<ReferencesBench> {
    const bench = new ReferencesBench();
    const record = { record: async (events: readonly EventToRecord[]) => void bench.events.push(...events) };
    bench.add(
      createPodController({
        registry: bench.counting,
        clock: bench.clock,
        podRuntime: new SimulatedPodRuntime(),
        schedulerEvents: record,
        kubeletEvents: record,
        nodesRememberMs,
        config: { podEvents: 'all' },
      }),
    );
    for (const name of ['default', 'kube-system'])
      await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await bench.createNode('node-1');
    return bench;
  }

  async createPod(name: string, container: object, more: Partial<PodSpec> = {}, namespace = 'default'): Promise<void> {
    const spec = { nodeName: 'node-1', containers: [{ name: 'web', image: 'nginx', ...container }], ...more };
    await this.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec });
    await this.settle();
  }

  async phaseOf(name: string): Promise<string | undefined> {
    return (await this.get<Pod>('pods', 'default', name))?.status?.phase;
  }

  async announced(): Promise<Record<string, string>> {
    const map = await this.get<Stored<ConfigMap>>('configmaps', 'kube-system', 'driftless-waiting-pods');
    return map?.metadata.annotations ?? {};
  }

  warnings(): readonly string[] {
    return this.events.filter(({ type }) => type === 'Warning').map(({ message }) => message);
  }
}

describe('what pods refer to', () => {
  test('is not read for a pod that refers to nothing, or only to the root certificates', async () => {
    const bench = await ReferencesBench.start();
    await bench.createPod('plain', {});
    const sources = [
      { serviceAccountToken: { path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ];
    await bench.createPod('usual', {}, { volumes: [{ name: 'kube-api-access-x', projected: { sources } }] });
    expect([await bench.phaseOf('plain'), await bench.phaseOf('usual')]).toEqual(['Running', 'Running']);
    expect(bench.reads.filter((read) => !read.startsWith('nodes '))).toEqual([]);
  });

  test('is read once for many pods within the time for which a process remembers it, and not again while they run', async () => {
    const bench = await ReferencesBench.start(REMEMBER_MS);
    await bench.create('configmaps', MAP);
    for (const name of ['a', 'b', 'c']) await bench.createPod(name, VARIABLE, VOLUMES);
    const pod = await bench.get<Pod>('pods', 'default', 'a');
    await bench.registry.update('pods', { ...pod, metadata: { ...pod?.metadata, labels: { a: 'b' } } } as Pod);
    await bench.advance(60_000);
    expect(bench.reads.filter((read) => read.startsWith('configmaps x'))).toEqual(['configmaps x']);
  });

  test('is read anew by a process that remembers an object without the key, before the pod waits', async () => {
    const bench = await ReferencesBench.start(REMEMBER_MS);
    const { data: _, ...empty } = MAP;
    const stored = await bench.create<Stored<ConfigMap>>('configmaps', empty);
    await bench.createPod('mounts', {}, VOLUMES);
    await bench.registry.update('configmaps', { ...stored, data: { k: '1' } });
    await bench.createPod('reads', VARIABLE);
    expect(await bench.phaseOf('reads')).toBe('Running');
    expect(bench.warnings()).toEqual([]);
  });
});

describe('a pod that waits for an object', () => {
  test('tries to mount a volume as often as a kubelet, and says so each time', async () => {
    const bench = await ReferencesBench.start();
    await bench.createPod('web', {}, VOLUMES);
    const timesMs: number[] = [0];
    for (let seen = bench.warnings().length; bench.clock.now() < Date.parse('2026-01-01T00:10:00Z'); ) {
      await bench.advance(500);
      if (bench.warnings().length > seen) timesMs.push(bench.clock.now() - Date.parse('2026-01-01T00:00:00Z'));
      seen = bench.warnings().length;
    }
    expect(timesMs.map((ms) => ms / 1000)).toEqual([
      0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 63.5, 127.5, 249.5, 371.5, 493.5,
    ]);
    expect(new Set(bench.warnings())).toEqual(
      new Set(['MountVolume.SetUp failed for volume "v" : configmap "x" not found']),
    );
  });

  test('waits again when a container is to be restarted and the object is gone by then', async () => {
    const bench = await ReferencesBench.start();
    await bench.create('configmaps', MAP);
    const spec = { nodeName: 'node-1', containers: [{ name: 'web', image: 'nginx', ...VARIABLE }] };
    const annotations = { 'simulate.driftless.dev/crash-after': '5s' };
    const metadata = { name: 'web', namespace: 'default', annotations };
    await bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await bench.settle();
    await bench.registry.delete({ resource: 'configmaps', namespace: 'default', name: 'x' });
    await bench.advance(6_000);
    const [status] = (await bench.get<Pod>('pods', 'default', 'web'))?.status?.containerStatuses ?? [];
    expect(status).toMatchObject({
      restartCount: 0,
      ready: false,
      state: { waiting: { reason: 'CreateContainerConfigError', message: 'configmap "x" not found' } },
      lastState: { terminated: { exitCode: 1 } },
    });
    await bench.create('configmaps', MAP);
    await bench.settle();
    const [again] = (await bench.get<Pod>('pods', 'default', 'web'))?.status?.containerStatuses ?? [];
    expect(again).toMatchObject({ restartCount: 1, state: { running: {} } });
  });

  test('is found by its own next attempt if another process had not seen yet that it waits', async () => {
    const bench = await ReferencesBench.start(REMEMBER_MS);
    await bench.create('configmaps', { ...MAP, metadata: { ...MAP.metadata, name: 'other' } });
    await bench.settle();
    await bench.createPod('web', VARIABLE);
    await bench.create('configmaps', MAP);
    await bench.settle();
    expect(await bench.phaseOf('web')).toBe('Pending');
    await bench.advance(10_000);
    expect(await bench.phaseOf('web')).toBe('Running');
  });

  test('is looked for only where a pod has announced that it waits, and for 15 minutes after the last one has', async () => {
    const bench = await ReferencesBench.start();
    const waits = new RecentWaits(bench.registry, bench.clock, 0);
    const change = {
      resource: 'configmaps',
      version: 1,
      type: 'ADDED',
      after: { ...MAP, metadata: { ...MAP.metadata, uid: 'u', resourceVersion: '1', creationTimestamp: '' } },
    } as const;
    const lists: string[] = [];
    const list = ((resource: string) => {
      lists.push(resource);
      return bench.registry.list('pods', { namespace: 'default' });
    }) as typeof bench.registry.list;
    const look = () => keysOfWaitingPods({ get: bench.counting.get, list }, waits, change);
    expect(await look()).toEqual([]);
    expect(lists).toEqual([]);
    await bench.createPod('web', VARIABLE);
    expect(await look()).toEqual([{ key: { controller: 'pod', namespace: 'default', name: 'web' } }]);
    await bench.advance(3_600_000);
    expect(await waits.mayWait('default')).toBe(true);
    expect(await waits.mayWait('kube-system')).toBe(false);
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await bench.advance(15 * 60_000);
    expect(await waits.mayWait('default')).toBe(false);
  });

  test('announces it beside others, and forgets announcements that have ended', async () => {
    const bench = await ReferencesBench.start();
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await bench.createPod('web', VARIABLE);
    await bench.createPod('web', VARIABLE, {}, 'team');
    expect(await bench.announced()).toEqual({
      'waiting.driftless.dev/default': '2026-01-01T00:15:00Z',
      'waiting.driftless.dev/team': '2026-01-01T00:15:00Z',
    });
    await bench.registry.delete({ resource: 'pods', namespace: 'team', name: 'web' }, { gracePeriodSeconds: 0 });
    await bench.advance(3_600_000);
    expect(Object.keys(await bench.announced())).toEqual(['waiting.driftless.dev/default']);
  });
});
