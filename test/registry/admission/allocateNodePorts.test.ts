import { beforeEach, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

let bench: ControllerBench;
beforeEach(async () => {
  bench = new ControllerBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

function service(name: string, spec: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec };
}

async function portsOf(outcome: Promise<{ object?: unknown; error?: Error }>): Promise<unknown> {
  const { object, error } = await outcome;
  const spec = (object as KubernetesObject | undefined)?.['spec'] as { ports: { nodePort?: number }[] } | undefined;
  return error?.message ?? spec?.ports.map(({ nodePort }) => nodePort);
}

const create = (name: string, spec: object) => bench.registry.create('services', service(name, spec));
const update = async (name: string, change: (spec: Record<string, unknown>) => void) => {
  const stored = await bench.registry.get({ resource: 'services', namespace: 'default', name });
  const draft = structuredClone(stored) as KubernetesObject;
  change(draft['spec'] as Record<string, unknown>);
  return bench.registry.update('services', draft, {});
};

const PORTS = [{ port: 80 }, { port: 443, name: 'b' }];
const NAMED = [{ port: 80, name: 'a' }, PORTS[1]];
const inRange = (port: unknown) => Number(port) >= 30_000 && Number(port) <= 32_767;

describe('the node ports of a Service', () => {
  test.each([
    ['NodePort', {}, true],
    ['LoadBalancer', {}, true],
    ['LoadBalancer', { allocateLoadBalancerNodePorts: false }, false],
    ['ClusterIP', {}, false],
  ])('of type %s %j are chosen: %s', async (type, more, chosen) => {
    const ports = (await portsOf(create('s', { type, ports: NAMED, ...more }))) as unknown[];
    expect(ports.every(chosen ? inRange : (port) => port === undefined)).toBe(true);
    expect(new Set(ports).size).toBe(chosen ? 2 : 1);
  });

  test.each([
    [30_080, 'spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated'],
    [
      80,
      'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
  ])('port %s, which is taken or out of range, is refused', async (nodePort, error) => {
    await create('first', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] });
    const second = portsOf(create('second', { type: 'NodePort', ports: [{ port: 80, nodePort }] }));
    expect(await second).toBe(`Service "second" is invalid: ${error}`);
  });

  test('stay when a client leaves them out, and go with the type', async () => {
    const [before] = (await portsOf(create('s', { type: 'NodePort', ports: [{ port: 80 }] }))) as number[];
    const kept = portsOf(update('s', (spec) => Object.assign(spec, { ports: [{ port: 80 }] })));
    expect(await kept).toEqual([before]);
    expect(await portsOf(update('s', (spec) => Object.assign(spec, { type: 'ClusterIP' })))).toEqual([undefined]);
    const [again] = (await portsOf(update('s', (spec) => Object.assign(spec, { type: 'NodePort' })))) as number[];
    expect(inRange(again)).toBe(true);
  });
});
