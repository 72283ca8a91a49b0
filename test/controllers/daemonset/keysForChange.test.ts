import { describe, expect, test } from 'vitest';
import { keysForChange } from '../../../lambdas/controllers/daemonset/keysForChange.ts';
import type { RegistryReader } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { DaemonSet, Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { LABELS, storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';

/** A reader that has these DaemonSets, and counts what is asked of it. */
class Reader implements RegistryReader {
  readonly asked: string[] = [];
  readonly #items: readonly DaemonSet[];

  constructor(items: readonly DaemonSet[]) {
    this.#items = items;
  }

  get = async () => undefined;

  list = (async (resource: string, options?: { index?: { value: string } }) => {
    const value = options?.index?.value;
    this.asked.push(value === undefined ? resource : `${resource} ${value}`);
    const items = value === undefined || value === 'app=agent' ? this.#items : [];
    return { items, resourceVersion: '9', more: false };
  }) as unknown as RegistryReader['list'];
}

const changeOf = (resource: string, before: unknown, after: unknown) => {
  const type = before ? (after ? 'MODIFIED' : 'DELETED') : 'ADDED';
  return { type, resource, ...(before ? { before } : {}), ...(after ? { after } : {}) } as unknown as Change;
};

async function keys(reader: Reader, change: Change): Promise<string[]> {
  return (await keysForChange(reader, change)).map(({ key }) => `${key.controller}:${key.namespace}/${key.name}`);
}

const AGENT = storedDaemonSet();
const ON_SSD = {
  ...storedDaemonSet({}, { nodeSelector: { disktype: 'ssd' } }),
  metadata: { ...AGENT.metadata, name: 'on-ssd' },
};
const taints = (effect: string) => ({ taints: [{ key: 'dedicated', effect }] });
const ssd = storedNode('node-1', { disktype: 'ssd' });
const plain = storedNode('node-1');
const heartbeat: Node = {
  ...plain,
  metadata: { ...plain.metadata, resourceVersion: '2' },
  status: { conditions: [{ type: 'Ready', status: 'False', lastHeartbeatTime: '2026-01-01T00:05:00Z' }] },
};

describe('a node', () => {
  const TABLE: readonly [string, Node | undefined, Node | undefined, readonly string[]][] = [
    ['that comes concerns those that want a pod there', undefined, plain, ['daemonset:default/agent']],
    [
      'that comes with a label concerns those that select it',
      undefined,
      ssd,
      ['daemonset:default/agent', 'daemonset:default/on-ssd'],
    ],
    ['that comes tainted concerns nobody', undefined, storedNode('node-1', {}, taints('NoExecute')), []],
    ['that gets a label concerns those that select it', plain, ssd, ['daemonset:default/on-ssd']],
    ['that loses a label concerns those that selected it', ssd, plain, ['daemonset:default/on-ssd']],
    ['that gets a label which nobody selects concerns nobody', plain, storedNode('node-1', { a: 'b' }), []],
    [
      'that is tainted concerns those that do not tolerate it',
      plain,
      storedNode('node-1', {}, taints('NoSchedule')),
      ['daemonset:default/agent'],
    ],
    [
      'whose taint gets worse concerns those that had pods there',
      storedNode('node-1', {}, taints('NoSchedule')),
      storedNode('node-1', {}, taints('NoExecute')),
      ['daemonset:default/agent'],
    ],
    [
      'that is cordoned concerns nobody',
      plain,
      storedNode(
        'node-1',
        {},
        { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
      ),
      [],
    ],
    ['that goes concerns those that wanted a pod there', plain, undefined, ['daemonset:default/agent']],
  ];

  test.each(TABLE)('%s', async (_, before, after, expected) => {
    expect(await keys(new Reader([AGENT, ON_SSD]), changeOf('nodes', before, after))).toEqual(expected);
  });

  test('whose conditions change costs no read', async () => {
    const reader = new Reader([AGENT]);
    expect(await keys(reader, changeOf('nodes', plain, heartbeat))).toEqual([]);
    expect(reader.asked).toEqual([]);
  });
});

const owner = (kind: string, name = 'agent') => ({ apiVersion: 'apps/v1', kind, name, uid: 'ds', controller: true });
const pod = (metadata: object): Pod => {
  const stored = storedPod('a', 'node-1');
  return { ...stored, metadata: { ...stored.metadata, ...metadata } };
};
const OWNED = pod({ ownerReferences: [owner('DaemonSet')] });
const OTHERS = pod({ ownerReferences: [owner('ReplicaSet')] });
const ORPHAN = pod({});

describe('a pod', () => {
  const TABLE: readonly [string, Pod | undefined, Pod | undefined, readonly string[], reads: number][] = [
    ['leads to its DaemonSet', undefined, OWNED, ['daemonset:default/agent'], 0],
    ['of another kind leads nowhere', undefined, OTHERS, [], 0],
    [
      'that changes leads to its DaemonSet once',
      OWNED,
      pod({ ownerReferences: [owner('DaemonSet')], resourceVersion: '8' }),
      ['daemonset:default/agent'],
      0,
    ],
    ['that has not changed leads nowhere', OWNED, OWNED, [], 0],
    ['that goes leads to its DaemonSet', OWNED, undefined, ['daemonset:default/agent'], 0],
    [
      'that changes hands leads to both',
      OWNED,
      pod({ ownerReferences: [owner('DaemonSet', 'other')], resourceVersion: '8' }),
      ['daemonset:default/agent', 'daemonset:default/other'],
      0,
    ],
    ['without a controller leads to those that select it', undefined, ORPHAN, ['daemonset:default/agent'], 3],
    [
      'that loses its controller leads to those that select it',
      OTHERS,
      pod({ resourceVersion: '8' }),
      ['daemonset:default/agent'],
      3,
    ],
    ['without a controller whose status changes leads nowhere', ORPHAN, pod({ resourceVersion: '8' }), [], 0],
    ['without a controller that goes leads nowhere', ORPHAN, undefined, [], 0],
    [
      'without a controller that is being deleted leads nowhere',
      undefined,
      pod({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      [],
      0,
    ],
    ['that nobody selects leads nowhere', undefined, pod({ labels: { app: 'web' } }), [], 2],
  ];

  test.each(TABLE)('%s', async (_, before, after, expected, reads) => {
    const reader = new Reader([AGENT]);
    expect(await keys(reader, changeOf('pods', before, after))).toEqual(expected);
    expect(reader.asked).toHaveLength(reads);
  });
});

test('a revision leads to its DaemonSet, also when it is new: a create that was late must be counted', async () => {
  const metadata = {
    name: 'agent-1',
    namespace: 'default',
    resourceVersion: '3',
    labels: LABELS,
    ownerReferences: [owner('DaemonSet')],
  };
  const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata };
  const change = changeOf('controllerrevisions.apps', undefined, revision);
  expect(await keys(new Reader([AGENT]), change)).toEqual(['daemonset:default/agent']);
});

test('a DaemonSet leads to itself', async () => {
  expect(await keys(new Reader([]), changeOf('daemonsets.apps', AGENT, undefined))).toEqual([
    'daemonset:default/agent',
  ]);
});
