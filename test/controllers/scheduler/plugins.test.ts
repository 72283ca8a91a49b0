import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import { BOUNDLESS } from '../../../lambdas/objects/nodes/boundlessResources.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node, placeOf, pod, type PodParts, sizedTo } from './schedulerObjects.ts';

/** The node that the pod gets, or the part of the message before `preemption`. */
function place(parts: PodParts, nodes: readonly Node[], pods: readonly Pod[] = []): string {
  const decided = schedulePod(info('new', parts), cluster(nodes, pods));
  return placeOf(decided).split(' preemption:')[0] ?? '';
}

const port = (hostPort: number, more: object = {}): PodParts => ({
  spec: { containers: [{ name: 'main', image: 'i', ports: [{ containerPort: 80, hostPort, ...more }] }] },
});
const affinity = (weight: number, key: string, value: string) => ({
  weight,
  preference: { matchExpressions: [{ key, operator: 'In', values: [value] }] },
});
const initContainer = (cpu: string, restartPolicy?: string) => ({
  name: 'init',
  image: 'i',
  resources: { requests: { cpu } },
  ...(restartPolicy !== undefined && { restartPolicy }),
});

const INFEASIBLE = { type: 'PodResizePending', status: 'True', reason: 'Infeasible' };

describe('NodeResourcesFit', () => {
  test.each<[string, PodParts, readonly Pod[], string]>([
    ['a pod that fits exactly', { requests: { cpu: '4', memory: '8Gi' } }, [], 'a'],
    [
      'one thousandth of a CPU too much',
      { requests: { cpu: '4001m' } },
      [],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what others have taken',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '2500m' } })],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what a pod that has ended had',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '4' }, status: { phase: 'Succeeded' } })],
      'a',
    ],
    [
      'several resources',
      { requests: { cpu: '5', memory: '9Gi', 'example.com/gpu': '1' } },
      [],
      '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient example.com/gpu, 1 Insufficient memory.',
    ],
    [
      'an init container that needs more than the rest',
      { requests: { cpu: '1' }, spec: { initContainers: [initContainer('5')] } },
      [],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'a sidecar beside the rest',
      { spec: { containers: [initContainer('3')], initContainers: [initContainer('2', 'Always')] } },
      [],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'the overhead',
      { requests: { cpu: '3900m' }, spec: { overhead: { cpu: '200m' } } },
      [],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what the pod requests as a whole',
      { spec: { resources: { requests: { cpu: '5' } } } as PodParts['spec'] & {} },
      [],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what a pod has that is to have less',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '1' }, status: sizedTo('3') })],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what is set aside for a pod that is to have less',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '1' }, status: sizedTo('1', '3') })],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'what a pod asks for and does not have yet',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '3' }, status: sizedTo('1') })],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'but not what a pod asks for that its node can never give it',
      { requests: { cpu: '2' } },
      [pod('x', { on: 'a', requests: { cpu: '30' }, status: sizedTo('1', '1', { conditions: [INFEASIBLE] }) })],
      'a',
    ],
    [
      'ephemeral storage',
      { requests: { 'ephemeral-storage': '1Gi' } },
      [],
      '0/1 nodes are available: 1 Insufficient ephemeral-storage.',
    ],
  ])('%s', (_what, parts, pods, expected) => {
    const spec =
      parts.requests && parts.spec ? { ...pod('p', { requests: parts.requests }).spec, ...parts.spec } : parts.spec;
    expect(place({ ...parts, ...(spec && { spec }) }, [node('a')], pods)).toBe(expected);
  });

  test.each([
    ['what others have taken, of what is not boundless', 'memory=8Gi', '0/1 nodes are available: 1 Insufficient cpu.'],
    ['nothing of what is boundless', 'cpu=4', 'a'],
    [
      'what others have taken, if the node has another amount by now',
      'cpu=8',
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
  ])('%s', (_what, annotation, expected) => {
    const marked = node('a', { annotations: { [BOUNDLESS]: annotation } });
    const others = [pod('x', { on: 'a', requests: { cpu: '3' } }), pod('y', { on: 'a', requests: { cpu: '3' } })];
    expect(place({ requests: { cpu: '4' } }, [marked], others)).toBe(expected);
    expect(place({ requests: { cpu: '4001m' } }, [marked], others)).toBe(
      '0/1 nodes are available: 1 Insufficient cpu.',
    );
  });

  test('of two boundless nodes the one with fewer requests is better', () => {
    const annotations = { [BOUNDLESS]: 'cpu=4,memory=8Gi' };
    const nodes = [node('a', { annotations }), node('b', { annotations })];
    expect(place({ requests: { cpu: '1' } }, nodes, [pod('x', { on: 'a', requests: { cpu: '3' } })])).toBe('b');
  });

  test('a node that takes no more pods', () => {
    const nodes = [node('a', { allocatable: { pods: '1' } })];
    expect(place({}, nodes, [pod('x', { on: 'a' })])).toBe('0/1 nodes are available: 1 Too many pods.');
  });

  test('the node with more room left is better', () => {
    const pods = [pod('x', { on: 'a', requests: { cpu: '2', memory: '4Gi' } })];
    expect(place({ requests: { cpu: '1', memory: '1Gi' } }, [node('a'), node('b')], pods)).toBe('b');
  });

  test('the node is better whose pods have less, not the one whose pods ask for less', () => {
    const resized = pod('x', { on: 'a', requests: { cpu: '1' }, status: sizedTo('3') });
    expect(
      place(
        { requests: { cpu: '1' } },
        [node('a'), node('b')],
        [resized, pod('y', { on: 'b', requests: { cpu: '2' } })],
      ),
    ).toBe('b');
  });

  test('a pod without requests counts a little, so that such pods are spread', () => {
    expect(place({}, [node('a'), node('b')], [pod('x', { on: 'b' })])).toBe('a');
  });
});

describe('NodeResourcesBalancedAllocation', () => {
  test('the node whose CPU and memory are used alike is better', () => {
    const pods = [pod('x', { on: 'a', requests: { cpu: '2' } }), pod('y', { on: 'b', requests: { memory: '4Gi' } })];
    expect(place({ requests: { cpu: '1' } }, [node('a'), node('b')], pods)).toBe('b');
  });
});

describe('NodePorts', () => {
  const NO_PORT = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.";
  test.each<[string, PodParts, PodParts, string]>([
    ['the same port', port(80), port(80), NO_PORT],
    ['another port', port(80), port(81), 'a'],
    ['another protocol', port(80), port(80, { protocol: 'UDP' }), 'a'],
    ['another address', port(80, { hostIP: '10.0.0.1' }), port(80, { hostIP: '10.0.0.2' }), 'a'],
    ['any address', port(80, { hostIP: '10.0.0.1' }), port(80), NO_PORT],
  ])('%s', (_what, taken, wanted, expected) => {
    expect(place(wanted, [node('a')], [pod('x', { ...taken, spec: { ...taken.spec, nodeName: 'a' } })])).toBe(expected);
  });
});

describe('NodeAffinity', () => {
  const NO_MATCH = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
  const NOT_NAMED = "0/1 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity].";
  const requires = (term: object): PodParts => ({
    spec: {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
    },
  });
  test.each<[string, object, string]>([
    ['the name of the node', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }, 'a'],
    ['the name of another node', { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }, NOT_NAMED],
    ['a label that is not there', { matchExpressions: [{ key: 'disk', operator: 'DoesNotExist' }] }, 'a'],
    ['a number that is too low', { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8'] }] }, NO_MATCH],
    ['a number that is low enough', { matchExpressions: [{ key: 'cores', operator: 'Lt', values: ['9'] }] }, 'a'],
    ['nothing at all', {}, NO_MATCH],
  ])('%s', (_what, term, expected) => {
    expect(place(requires(term), [node('a', { labels: { cores: '8' } })])).toBe(expected);
  });

  test('the node with the greater sum of preferences is better', () => {
    const preferred = [affinity(10, 'disk', 'ssd'), affinity(6, 'zone', 'x'), affinity(6, 'rack', '1')];
    const nodes = [node('a', { labels: { disk: 'ssd' } }), node('b', { labels: { zone: 'x', rack: '1' } })];
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred };
    expect(place({ spec: { affinity: { nodeAffinity } } }, nodes)).toBe('b');
  });
});

describe('TaintToleration', () => {
  test('a node with fewer taints that are only to be avoided is better', () => {
    const avoided = node('a', { spec: { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] } });
    expect(place({}, [avoided, node('b')])).toBe('b');
    const tolerations = [{ key: 'old', operator: 'Exists' }];
    const pods = [pod('x', { on: 'b' })];
    expect(place({ spec: { tolerations } }, [avoided, node('b')], pods)).toBe('a');
  });
});
