import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { RegistryReader } from '../../../lambdas/controllers/GuardedWriters.ts';
import { RecentNodes } from '../../../lambdas/controllers/pod/RecentNodes.ts';
import { choosePlainNode } from '../../../lambdas/controllers/scheduler/choosePlainNode.ts';
import { PlainBinds } from '../../../lambdas/controllers/scheduler/PlainBinds.ts';
import { PlainScheduler } from '../../../lambdas/controllers/scheduler/PlainScheduler.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import type { ObjectKey } from '../../../lambdas/objects/ObjectKey.ts';
import { node, nodeChoiceContract, TAINT } from './nodeChoiceContract.ts';
import { node as nodeOf, pod } from './schedulerObjects.ts';
import { simulatedNode } from '../../../lambdas/functions/resync/simulatedNode.ts';

nodeChoiceContract((spec, nodes, uid) => choosePlainNode(pod(uid, { spec }), nodes)?.metadata.name);

describe('the scheduler chooses', () => {
  const nodes = [node('a'), node('b')];
  test.each<[string, readonly Node[]]>([
    ['no node fits', nodes.map(({ metadata }) => node(metadata.name, { unschedulable: true }))],
    ['there are no nodes', []],
    ['a node prefers other pods', [...nodes, node('c', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] })]],
    ['a node takes only so many pods', [...nodes, { ...node('c'), status: { allocatable: { pods: '110' } } }]],
  ])('if %s', (_what, given) => {
    expect(choosePlainNode(pod('u'), given)).toBeUndefined();
  });
});

describe('a pod with requests', () => {
  const large = { pods: '1000000', cpu: '100M', memory: '8Pi' };
  const boundless = nodeOf('boundless', { allocatable: large });
  const asking = (requests: Record<string, string>) => pod('u', { requests });

  test.each<[string, Record<string, string>, string | undefined]>([
    ['has room for a million of them', { cpu: '100', memory: '8Gi' }, 'boundless'],
    ['is full of them before a million, of memory', { cpu: '1m', memory: '9Gi' }, undefined],
    ['is full of them before a million, of processors', { cpu: '100001m' }, undefined],
    ['has nothing of what they ask for', { 'example.com/gpu': '1' }, undefined],
  ])('of which a node %s: %j gets %s', (_what, requests, expected) => {
    expect(choosePlainNode(asking(requests), [boundless])?.metadata.name).toBe(expected);
  });

  test('is left to the scheduler as soon as one node can be full, although that node would not be chosen for a pod without any', () => {
    const nodes = [boundless, nodeOf('small', { allocatable: { ...large, cpu: '4' } })];
    expect(choosePlainNode(asking({ cpu: '1' }), nodes)).toBeUndefined();
    expect(choosePlainNode(asking({ memory: '1Gi' }), nodes)).toBeDefined();
    expect(choosePlainNode(pod('u'), nodes)).toBeDefined();
  });

  test('counts for what its init containers, its overhead and the pod itself ask for', () => {
    const init = { initContainers: [{ name: 'i', image: 'i', resources: { requests: { cpu: '101' } } }] };
    expect(choosePlainNode(pod('u', { spec: init }), [boundless])).toBeUndefined();
    expect(choosePlainNode(pod('u', { spec: { overhead: { cpu: '101' } } }), [boundless])).toBeUndefined();
    expect(
      choosePlainNode(pod('u', { spec: { resources: { requests: { cpu: '101' } } } as object }), [boundless]),
    ).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, boolean]>([
    ['as the largest machine has, by default', {}, { cpu: '896', memory: '32Ti' }, true],
    ['and no more by default', {}, { cpu: '897' }, false],
    ['and nothing of what no machine has', {}, { 'hugepages-2Mi': '2Mi' }, false],
    ['but not of a capacity that is chosen', { cpu: '4' }, { cpu: '1' }, false],
    ['of the others if one is chosen', { cpu: '4' }, { memory: '1Gi' }, true],
    ['of a capacity for a million of them', { cpu: '100M', memory: '8Pi' }, { cpu: '100', memory: '8Gi' }, true],
  ])('of which a simulated node has as much for each %s', (_, capacity, requests, isBound) => {
    const simulated = simulatedNode(1, { capacity }, 0) as Node;
    expect(choosePlainNode(asking(requests), [simulated])).toBe(isBound ? simulated : undefined);
  });
});

test('the next pod that asks for the same costs no look at the nodes', () => {
  let looks = 0;
  const nodes = Array.from({ length: 50 }, (_, number) => {
    const { spec, ...rest } = node(`node-${number}`);
    return {
      ...rest,
      get spec() {
        looks += 1;
        return spec;
      },
    } as Node;
  });
  const chosen = Array.from({ length: 200 }, (_, number) => choosePlainNode(pod(`uid-${number}`), nodes));
  expect(new Set(chosen).size).toBeGreaterThan(40);
  const first = looks;
  for (let number = 0; number < 200; number++) choosePlainNode(pod(`more-${number}`), nodes);
  expect(looks).toBe(first);
  choosePlainNode(pod('other', { spec: { nodeSelector: { disk: 'ssd' } } }), nodes);
  expect(looks).toBeGreaterThan(first);
});

test('a process lists the nodes once for all pods of a few seconds', async () => {
  const clock = new VirtualClock(0);
  let lists = 0;
  const registry = {
    get: async () => undefined,
    list: async () => {
      lists += 1;
      return { items: [node('a'), node('b')], more: false };
    },
  } as unknown as RegistryReader;
  const nodes = new RecentNodes(registry, clock, 3_000);
  const deps = { registry, clock, nodes, nodesRememberMs: 3_000, sendKeys: async () => {}, binds: new PlainBinds() };
  const scheduler = new PlainScheduler(deps);
  const bind = async ({ metadata }: Node) => metadata.name;
  for (let number = 0; number < 100; number++) await scheduler.schedule(pod(`uid-${number}`), bind);
  expect(lists).toBe(1);
});

/** A pod that may go to this node only, as a daemon's does. */
function meantFor(name: string) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return pod('u', {
    spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } },
  });
}

describe('a pod that names its node', () => {
  const limited = { ...node('limited'), status: { allocatable: { pods: '110' } } };
  const avoided = node('avoided', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] });
  const nodes = [node('a'), limited, avoided, node('cordoned', { unschedulable: true })];

  test.each([
    ['a', 'a'],
    ['avoided', 'avoided'],
    ['limited', undefined],
    ['cordoned', undefined],
    ['absent', undefined],
  ])('%s gets %s, whatever the other nodes are like', (name, expected) => {
    expect(choosePlainNode(meantFor(name), nodes)?.metadata.name).toBe(expected);
  });

  test('needs a read of that node only, and a second one if the node as it was a moment ago does not fit', async () => {
    const clock = new VirtualClock(0);
    const stored = new Map(nodes.map((one) => [one.metadata.name, one] as const));
    const reads: string[] = [];
    const registry = {
      get: async ({ resource, name }: ObjectKey) => {
        if (resource === 'nodes') reads.push(name);
        return resource === 'nodes' ? stored.get(name) : undefined;
      },
      list: async (resource: string) => {
        throw new Error(`it lists ${resource}`);
      },
    } as RegistryReader;
    const scheduler = new PlainScheduler({
      registry,
      clock,
      nodes: new RecentNodes(registry, clock, 3_000),
      sendKeys: async () => {},
      binds: new PlainBinds(),
    });
    const chosen = (name: string) => scheduler.schedule(meantFor(name), async ({ metadata }) => metadata.name);
    expect([await chosen('a'), await chosen('a'), reads.splice(0)]).toEqual(['a', 'a', ['a']]);
    expect([await chosen('cordoned'), reads.splice(0)]).toEqual([undefined, ['cordoned', 'cordoned']]);
    stored.set('cordoned', node('cordoned'));
    expect([await chosen('cordoned'), reads.splice(0)]).toEqual(['cordoned', ['cordoned']]);
  });
});
