import { expect, test } from 'vitest';
import { keysForChange } from '../../../lambdas/controllers/pod/keysForChange.ts';
import { PlainChoice } from '../../../lambdas/controllers/scheduler/PlainChoice.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { FakeObjectStore } from '../../support/FakeObjectStore.ts';

function pod(rest: object = {}, metadata: object = {}, version = '1'): KubernetesObject {
  const named = { name: 'web', namespace: 'default', uid: 'u', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...named, resourceVersion: version, ...metadata }, ...rest };
}

function node(rest: object = {}, metadata: object = {}): KubernetesObject {
  const named = { name: 'node-1', uid: 'n', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { ...named, ...metadata }, ...rest };
}

const SPEC = { spec: { nodeName: 'node-1' } };
const NEW = { spec: { schedulerName: 'default-scheduler' } };
const BOUND = { spec: { schedulerName: 'default-scheduler', nodeName: 'node-1' } };
const UNSCHEDULABLE = { ...NEW, status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } };
const FOREIGN = { spec: { schedulerName: 'mine' } };
const ASKING = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };
const ENDING = { deletionTimestamp: 'x', deletionGracePeriodSeconds: 30 };
const ENDED = { deletionTimestamp: 'x', deletionGracePeriodSeconds: 0 };
const GATED = { spec: { readinessGates: [{ conditionType: 'a' }] } };
const ready = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });
const running = (ready: boolean, containerID = 'c-1') => ({
  status: { containerStatuses: [{ name: 'main', containerID, ready, state: { running: {} } }] },
});
const ended = {
  status: { containerStatuses: [{ name: 'main', containerID: 'c-1', ready: false, state: { terminated: {} } }] },
};
const modified = (resource: string, before: KubernetesObject, after: KubernetesObject): Change => ({
  type: 'MODIFIED',
  resource,
  version: 2,
  before,
  after,
});

test.each<[string, Change, string[]]>([
  ['a pod is added', { type: 'ADDED', resource: 'pods', version: 1, after: pod() }, ['web']],
  [
    'a pod is added that the scheduler has to place, since no node has room without bound for it',
    { type: 'ADDED', resource: 'pods', version: 1, after: pod(ASKING) },
    [],
  ],
  ['a pod is gone', { type: 'DELETED', resource: 'pods', version: 2, before: pod() }, []],
  ['a pod is bound', modified('pods', pod(), pod(SPEC, {}, '2')), ['web']],
  ['our scheduler binds a new pod', modified('pods', pod(NEW), pod(BOUND, {}, '2')), []],
  ['a pod is bound that was unschedulable', modified('pods', pod(UNSCHEDULABLE), pod(BOUND, {}, '2')), ['web']],
  [
    'another scheduler binds a pod',
    modified('pods', pod(FOREIGN), pod({ spec: { ...FOREIGN.spec, nodeName: 'node-1' } }, {}, '2')),
    ['web'],
  ],
  ['a pod is bound and labelled', modified('pods', pod(NEW), pod(BOUND, { labels: { a: 'b' } }, '2')), ['web']],
  ['a pod is to be deleted', modified('pods', pod(), pod({}, { deletionTimestamp: 'x' }, '2')), ['web']],
  ['it is deleted without a grace period', modified('pods', pod(), pod({}, ENDED, '2')), ['web']],
  ['its runtime removes it', modified('pods', pod({}, ENDING), pod({}, ENDED, '2')), []],
  [
    'only a finalizer keeps it',
    modified('pods', pod({}, ENDING), pod({}, { ...ENDED, finalizers: ['a'] }, '2')),
    ['web'],
  ],
  ['its annotations change', modified('pods', pod(), pod({}, { annotations: { a: 'b' } }, '2')), ['web']],
  ['its finalizers change', modified('pods', pod({}, { finalizers: ['a'] }), pod({}, {}, '2')), ['web']],
  ['only its status changes', modified('pods', pod(SPEC), pod({ ...SPEC, ...ready('True') }, {}, '2')), []],
  [
    'the status of one with readiness gates changes',
    modified('pods', pod(GATED), pod({ ...GATED, ...ready('True') }, {}, '2')),
    ['web'],
  ],
  ['its container becomes ready', modified('pods', pod(running(false)), pod(running(true), {}, '2')), []],
  [
    'its running container is ready no more',
    modified('pods', pod(running(true)), pod(running(false), {}, '2')),
    ['web'],
  ],
  ['its container ends', modified('pods', pod(running(true)), pod(ended, {}, '2')), []],
  ['its ended container runs again', modified('pods', pod(ended), pod(running(false), {}, '2')), ['web']],
  ['its container is started anew', modified('pods', pod(running(true)), pod(running(false, 'c-2'), {}, '2')), []],
  ['its version is the same', modified('pods', pod(), pod(SPEC)), []],
  ['a node is added', { type: 'ADDED', resource: 'nodes', version: 1, after: node() }, ['unbound']],
  ['a node becomes ready', modified('nodes', node(ready('False')), node(ready('True'))), ['unbound']],
  ['a node is uncordoned', modified('nodes', node({ spec: { unschedulable: true } }), node()), ['unbound']],
  ['a node gets a label', modified('nodes', node(), node({}, { labels: { a: 'b' } })), ['unbound']],
  ['a node reports its health', modified('nodes', node(ready('True')), node(ready('True'))), []],
  ['something else changes', { type: 'ADDED', resource: 'services', version: 1, after: node() }, []],
])('when %s', async (_what, change, names) => {
  const store = new FakeObjectStore();
  await store.create('pods', pod({}, { name: 'unbound' }));
  await store.create('pods', pod(SPEC, { name: 'bound' }));
  await store.create('pods', pod({ status: { phase: 'Failed' } }, { name: 'ended' }));
  const choice = new PlainChoice();
  const isBoundAtStart = (one: Pod) => choice.isBoundAtStart(one, async () => []);
  const keys = await keysForChange({ registry: store, isBoundAtStart }, change);
  expect(keys.map(({ key }) => key)).toEqual(names.map((name) => ({ controller: 'pod', namespace: 'default', name })));
});
