import { beforeEach, describe, expect, test } from 'vitest';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { SizedPodStatus } from '../../../lambdas/objects/pods/podLevelResources.ts';
import { podConditionOf } from '../../../lambdas/objects/pods/podState.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { stored } from '../../support/openTestRegistry.ts';

type Amounts = Readonly<Record<string, string>>;

let bench: ControllerBench;
let events: string[];
/** The statuses that the pod had, each with what it says of its resources. */
let seen: string[];

beforeEach(async () => {
  bench = new ControllerBench();
  events = [];
  seen = [];
  const record = async (more: readonly EventToRecord[]) => {
    const told = more.filter(({ reason }) => reason.startsWith('Resize'));
    events.push(...told.map(({ type, reason, message }) => `${type} ${reason}: ${message}`));
  };
  bench.addPodControllers({ record });
  for (const name of ['default', 'kube-system'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const node = simulatedNode(1, { name: 'node-1' }, 0);
  const status = { ...(node['status'] as object), allocatable: { cpu: '4', memory: '8Gi', pods: '10' } };
  await bench.create<Node>('nodes', { ...node, status });
});

function sized(cpu: string, more: object = {}) {
  return { containers: [{ name: 'main', image: 'nginx:1', resources: { requests: { cpu } }, ...more }] };
}

async function createPod(name: string, cpu: string, more: object = {}): Promise<void> {
  await bench.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: sized(cpu, more),
  });
  await bench.settle();
  events.length = 0;
}

async function pod(name = 'web'): Promise<Pod> {
  return (await bench.get<Pod>('pods', 'default', name)) as Pod;
}

/** Resizes the pod `web`, and lets its node do what it does then, step by step. */
async function resize(requests: Amounts): Promise<void> {
  const web = await pod();
  const containers = [{ ...web.spec?.containers[0], name: 'main', resources: { requests } }];
  stored(await bench.registry.update<Pod>('pods', { ...web, spec: { containers } }, { subresource: 'resize' }));
  seen.push(describePod(await pod()));
  await bench.settle();
  seen.push(describePod(await pod()));
}

function describePod(web: Pod): string {
  const { resources, allocatedResources } = web.status?.containerStatuses?.[0] ?? {};
  const conditions = ['PodResizePending', 'PodResizeInProgress'].flatMap((type) => {
    const found = podConditionOf(web, type) as { reason?: string; observedGeneration?: number } | undefined;
    return found ? [`${type}(${found.observedGeneration}) ${found.reason ?? ''}`.trim()] : [];
  });
  return [`has ${resources?.requests?.['cpu']}, gets ${allocatedResources?.['cpu']}`, ...conditions].join(', ');
}

const spec = (cpu: string, generation: number, error = '') =>
  `{"containers":[{"name":"main","resources":{"requests":{"cpu":"${cpu}"}}}],"generation":${generation}${error}}`;

describe('a resize', () => {
  test('that fits is begun and completed, which the events tell', async () => {
    await createPod('web', '1');
    expect((await pod()).status?.containerStatuses?.[0]?.resources).toBeUndefined();
    await resize({ cpu: '2' });
    expect(seen).toEqual(['has 1, gets 1', 'has 2, gets 2']);
    expect(events).toEqual([
      `Normal ResizeStarted: Pod resize started: ${spec('2', 2)}`,
      `Normal ResizeCompleted: Pod resize completed: ${spec('2', 2)}`,
    ]);
    expect((await pod()).status).toMatchObject({ observedGeneration: 2 });
    expect((await pod()).status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  test('restarts a container whose policy asks for it', async () => {
    await createPod('web', '1', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] });
    await resize({ cpu: '2' });
    expect((await pod()).status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      resources: { requests: { cpu: '2' } },
    });
  });

  test('beyond what the node has is infeasible, until it is taken back', async () => {
    await createPod('web', '1');
    await resize({ cpu: '5' });
    const message = "Node didn't have enough capacity: cpu, requested: 5000, capacity: 4000";
    expect(seen.at(-1)).toBe('has 1, gets 1, PodResizePending(2) Infeasible');
    expect(podConditionOf(await pod(), 'PodResizePending')).toMatchObject({ status: 'True', message });
    expect(events).toEqual([
      `Warning ResizeInfeasible: Pod resize Infeasible: ${spec('5', 2, `,"error":"${message}"`)}`,
    ]);
    await resize({ cpu: '1' });
    expect(seen.at(-1)).toBe('has 1, gets 1');
    expect(events).toHaveLength(1);
  });

  test('beyond what other pods leave waits, and is tried again when one of them is gone', async () => {
    await createPod('web', '1');
    await createPod('other', '2500m');
    await resize({ cpu: '2' });
    expect(seen.at(-1)).toBe('has 1, gets 1, PodResizePending(2) Deferred');
    expect(podConditionOf(await pod(), 'PodResizePending')?.message).toBe(
      "Node didn't have enough resource: cpu, requested: 2000, used: 2500, capacity: 4000",
    );
    expect(events[0]).toMatch(/^Warning ResizeDeferred: Pod resize Deferred: /);
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'other' }, { gracePeriodSeconds: 0 });
    await bench.advance(60_000);
    expect(describePod(await pod())).toBe('has 2, gets 2');
    expect(events.map((event) => event.split(':')[0])).toEqual([
      'Warning ResizeDeferred',
      'Normal ResizeStarted',
      'Normal ResizeCompleted',
    ]);
  });

  test('counts what other pods have, and not what they only ask for', async () => {
    await createPod('web', '1');
    await createPod('other', '2');
    await resize({ cpu: '5' });
    const other = await pod('other');
    const containers = [{ ...other.spec?.containers[0], name: 'main', resources: { requests: { cpu: '3' } } }];
    stored(await bench.registry.update<Pod>('pods', { ...other, spec: { containers } }, { subresource: 'resize' }));
    await bench.settle();
    expect(describePod(await pod('other'))).toBe('has 3, gets 3');
  });

  test('of memory names the bytes', async () => {
    await createPod('web', '1');
    await resize({ cpu: '1', memory: '9Gi' });
    expect(podConditionOf(await pod(), 'PodResizePending')?.message).toBe(
      "Node didn't have enough capacity: memory, requested: 9663676416, capacity: 8589934592",
    );
  });
});

test('a resize of the pod as a whole is told in the status of the pod', async () => {
  const resources = { requests: { cpu: '1' }, limits: { cpu: '2' } };
  const containers = [{ name: 'main', image: 'nginx:1' }];
  await bench.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers, resources },
  });
  await bench.settle();
  const change = async (cpu: string) => {
    const web = await pod();
    const spec = { ...web.spec, resources: { requests: { cpu }, limits: { cpu: '9' } } } as Pod['spec'] & object;
    stored(await bench.registry.update<Pod>('pods', { ...web, spec }, { subresource: 'resize' }));
    await bench.settle();
    const { status } = await pod();
    const { resources: has, allocatedResources: gets } = (status ?? {}) as SizedPodStatus;
    return [has, gets, podConditionOf(await pod(), 'PodResizePending')?.reason];
  };
  expect(await change('3')).toEqual([{ requests: { cpu: '3' }, limits: { cpu: '9' } }, { cpu: '3' }, undefined]);
  expect(await change('5')).toEqual([{ requests: { cpu: '3' }, limits: { cpu: '9' } }, { cpu: '3' }, 'Infeasible']);
});
