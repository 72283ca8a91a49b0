import { expect, test } from 'vitest';
import type { FilterPluginName } from '../../../lambdas/controllers/scheduler/framework/Plugin.ts';
import { keysForChange, SCHEDULER_KEY } from '../../../lambdas/controllers/scheduler/keysForChange.ts';
import { PlainChoice } from '../../../lambdas/controllers/scheduler/PlainChoice.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { node, pod, sizedTo } from './schedulerObjects.ts';

const TERM = { topologyKey: 'kubernetes.io/hostname', labelSelector: {} };
const REPELS = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [TERM] } } };
const GATED = { schedulingGates: [{ name: 'wait' }] };
const BOUNDLESS = node('boundless', { allocatable: { pods: '1000000', cpu: '100M' } });
const FAILED = { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } };
const ENDED = { on: 'a', status: { phase: 'Succeeded' } };

const added = (resource: string, after: KubernetesObject): Change => ({ type: 'ADDED', resource, version: 1, after });
const gone = (resource: string, before: KubernetesObject): Change => ({
  type: 'DELETED',
  resource,
  version: 2,
  before,
});
const changed = (resource: string, before: KubernetesObject, after: KubernetesObject): Change => ({
  type: 'MODIFIED',
  resource,
  version: 2,
  before,
  after,
});

/** Whether the scheduler is woken while pods wait for these plugins; `undefined`: while none waits. */
async function wakes(
  change: Change,
  waitsFor: readonly FilterPluginName[] | undefined,
  nodes: readonly Node[] = [node('a')],
): Promise<boolean> {
  const notice = async () => (waitsFor ? { waitsFor: new Set(waitsFor) } : {});
  const choice = new PlainChoice();
  const isBoundAtStart = (one: Pod) => choice.isBoundAtStart(one, async () => nodes);
  const keys = await keysForChange({ leavesPlainPods: true, notice, isBoundAtStart }, change);
  if (keys.length > 0) expect(keys).toEqual([{ key: SCHEDULER_KEY }]);
  return keys.length > 0;
}

test.each<[string, readonly Node[], boolean]>([
  ['have room without bound', [BOUNDLESS], false],
  ['can be full', [BOUNDLESS, node('a')], true],
  ['are yet to come', [], true],
])('a pod with requests is added whose nodes %s', async (_what, nodes, expected) => {
  const change = added('pods', pod('p', { requests: { cpu: '1' } }));
  expect(await wakes(change, undefined, nodes)).toBe(expected);
});

test.each<[string, Change, boolean]>([
  ['a plain pod is added', added('pods', pod('p')), false],
  ['a pod with requests is added', added('pods', pod('p', { requests: { cpu: '1' } })), true],
  [
    'a pod of another scheduler is added',
    added('pods', pod('p', { requests: { cpu: '1' }, spec: { schedulerName: 'mine' } })),
    false,
  ],
  ['a pod is added that has a node', added('pods', pod('p', { requests: { cpu: '1' }, on: 'a' })), false],
  [
    'the last scheduling gate is removed',
    changed('pods', pod('p', { spec: GATED }), pod('p', { requests: { cpu: '1' } })),
    true,
  ],
  [
    'a pod was found to fit no node',
    changed('pods', pod('p', { requests: { cpu: '1' } }), pod('p', { requests: { cpu: '1' }, ...FAILED })),
    false,
  ],
  [
    'a pod is added that keeps others away, by somebody who gives it a node',
    added('pods', pod('p', { spec: { ...REPELS, nodeName: 'a' } })),
    true,
  ],
  [
    'we bind a pod that keeps others away',
    changed('pods', pod('p', { spec: REPELS }), pod('p', { spec: { ...REPELS, nodeName: 'a' } })),
    false,
  ],
  ['a pod that keeps others away is gone', gone('pods', pod('p', { spec: { ...REPELS, nodeName: 'a' } })), true],
  [
    'a pod that keeps others away has ended',
    changed(
      'pods',
      pod('p', { spec: { ...REPELS, nodeName: 'a' } }),
      pod('p', { spec: { ...REPELS, nodeName: 'a' }, status: { phase: 'Failed' } }),
    ),
    true,
  ],
  ['a pod is gone', gone('pods', pod('p', { on: 'a' })), false],
  ['a node is added', added('nodes', node('a')), false],
])('while no pod waits, when %s', async (_what, change, expected) => {
  expect(await wakes(change, undefined)).toBe(expected);
});

test.each<[string, Change, FilterPluginName[], boolean]>([
  ['a pod is gone', gone('pods', pod('p', { on: 'a' })), ['NodeResourcesFit'], true],
  ['a pod is gone', gone('pods', pod('p', { on: 'a' })), ['NodeAffinity', 'TaintToleration'], false],
  ['a pod without a node is gone', gone('pods', pod('p')), ['NodeResourcesFit'], false],
  [
    'a pod is gone for which a node waited',
    gone('pods', pod('p', { status: { nominatedNodeName: 'a' } })),
    ['NodeResourcesFit'],
    true,
  ],
  ['a pod ends', changed('pods', pod('p', { on: 'a' }), pod('p', ENDED)), ['NodePorts'], true],
  [
    'a pod that has ended changes',
    changed('pods', pod('p', ENDED), pod('p', { ...ENDED, labels: { a: 'b' } })),
    ['NodePorts'],
    false,
  ],
  ['a pod gets a node', changed('pods', pod('p'), pod('p', { on: 'a' })), ['InterPodAffinity'], true],
  ['a pod gets a node', changed('pods', pod('p'), pod('p', { on: 'a' })), ['NodeResourcesFit'], false],
  [
    'a pod gets a label',
    changed('pods', pod('p', { on: 'a' }), pod('p', { on: 'a', labels: { a: 'b' } })),
    ['PodTopologySpread'],
    true,
  ],
  [
    'a pod becomes ready',
    changed('pods', pod('p', { on: 'a' }), pod('p', { on: 'a', status: { phase: 'Running' } })),
    ['NodeResourcesFit', 'InterPodAffinity'],
    false,
  ],
  [
    'a pod is resized',
    changed('pods', pod('p', { on: 'a', requests: { cpu: '2' } }), pod('p', { on: 'a', requests: { cpu: '1' } })),
    ['NodeResourcesFit'],
    true,
  ],
  [
    'the containers of a resized pod have less than before',
    changed(
      'pods',
      pod('p', { on: 'a', requests: { cpu: '1' }, status: sizedTo('2') }),
      pod('p', { on: 'a', requests: { cpu: '1' }, status: sizedTo('1') }),
    ),
    ['NodeResourcesFit'],
    true,
  ],
  ['a node is added', added('nodes', node('a')), ['NodeAffinity'], true],
  ['a node is added while there was none', added('nodes', node('a')), [], true],
  [
    'a node is enlarged',
    changed('nodes', node('a'), node('a', { allocatable: { cpu: '8' } })),
    ['NodeResourcesFit'],
    true,
  ],
  ['a node becomes ready', changed('nodes', node('a', { ready: 'False' }), node('a')), ['TaintToleration'], true],
  ['a node gets a label', changed('nodes', node('a'), node('a', { labels: { a: 'b' } })), ['NodeAffinity'], true],
  ['a node reports its health', changed('nodes', node('a'), node('a')), ['NodeResourcesFit', 'NodeAffinity'], false],
  ['a claim changes', changed('persistentvolumeclaims', pod('p'), pod('p')), ['VolumeBinding'], true],
  ['a claim changes', changed('persistentvolumeclaims', pod('p'), pod('p')), ['NodeResourcesFit'], false],
  ['a volume comes', added('persistentvolumes', pod('p')), ['VolumeZone'], true],
  [
    'a driver attaches more volumes',
    changed('csinodes.storage.k8s.io', pod('p'), pod('p')),
    ['NodeVolumeLimits'],
    true,
  ],
  ['a driver has more room', added('csistoragecapacities.storage.k8s.io', pod('p')), ['VolumeBinding'], true],
  ['a driver has less room', gone('csistoragecapacities.storage.k8s.io', pod('p')), ['VolumeBinding'], false],
  ['a pod is gone that had a claim', gone('pods', pod('p', { on: 'a' })), ['VolumeRestrictions'], true],
  [
    'a namespace gets a label',
    changed('namespaces', pod('n'), pod('n', { labels: { a: 'b' } })),
    ['InterPodAffinity'],
    true,
  ],
  ['something else changes', added('services', pod('s')), ['NodeResourcesFit'], false],
])('while a pod waits, when %s, for %j', async (_what, change, waitsFor, expected) => {
  expect(await wakes(change, waitsFor)).toBe(expected);
});
