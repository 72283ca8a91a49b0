import { describe, expect, test } from 'vitest';
import type { ReplicaOwnerKind } from '../../../lambdas/controllers/replicaset/ReplicaOwner.ts';
import { REPLICA_SET } from '../../../lambdas/controllers/replicaset/syncReplicaSet.ts';
import { keysForChange } from '../../../lambdas/controllers/replicaset/keysForChange.ts';
import { REPLICATION_CONTROLLER } from '../../../lambdas/controllers/replicationcontroller/syncReplicationController.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { FakeObjectStore } from '../../support/FakeObjectStore.ts';

type Metadata = Partial<KubernetesObject['metadata']>;

function object(kind: string, metadata: Metadata, rest: object = {}): KubernetesObject {
  const { name = 'x', uid = `uid-of-${name}`, resourceVersion = '1' } = metadata;
  const creationTimestamp = '2026-01-01T00:00:00Z';
  const whole = { namespace: 'default', ...metadata, name, uid, resourceVersion, creationTimestamp };
  return { apiVersion: kind === 'ReplicaSet' ? 'apps/v1' : 'v1', kind, metadata: whole, ...rest };
}

function replicaSet(name: string, matchLabels: Record<string, string>, minReadySeconds = 0): KubernetesObject {
  return object('ReplicaSet', { name }, { spec: { selector: { matchLabels }, minReadySeconds } });
}

/** Owned by a replica set of that name, whose UID is derived from it. */
function owned(by: string, metadata: Metadata = {}, ready = false, kind = 'ReplicaSet'): KubernetesObject {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind, name: by, uid: `uid-of-${by}`, controller: true }];
  const status = { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  return object('Pod', { ownerReferences, labels: { app: by }, ...metadata }, { status });
}

function orphan(metadata: Metadata): KubernetesObject {
  return object('Pod', metadata, { status: {} });
}

const added = (after: KubernetesObject, resource = 'pods'): Change => ({ type: 'ADDED', resource, version: 1, after });
const deleted = (before: KubernetesObject, resource = 'pods'): Change => ({
  type: 'DELETED',
  resource,
  version: 3,
  before,
});
const modified = (before: KubernetesObject, after: KubernetesObject, resource = 'pods'): Change => ({
  type: 'MODIFIED',
  resource,
  version: 2,
  before,
  after: { ...after, metadata: { ...after.metadata, resourceVersion: '2' } },
});

async function keysFor(change: Change, kind: ReplicaOwnerKind = REPLICA_SET): Promise<string[]> {
  const store = new FakeObjectStore();
  for (const owner of [
    replicaSet('a', { app: 'a' }),
    replicaSet('slow', { app: 'slow' }, 10),
    replicaSet('both', { app: 'a', tier: 'web' }),
    { ...replicaSet('all', {}), spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } } },
  ])
    await store.create('replicasets.apps', owner);
  const keys = await keysForChange(store, kind, change);
  return keys.map(({ key, delayMs }) => `${key.name}${delayMs === undefined ? '' : ` in ${delayMs} ms`}`).toSorted();
}

const GOING = { deletionTimestamp: '2026-01-01T00:00:30Z' };

/** Each row names the informer's event, then the keys; the wording is by what happened to the object. */
const ROWS: readonly (readonly [what: string, change: Change, keys: readonly string[]])[] = [
  ['a replica set is added', added(replicaSet('a', { app: 'a' }), 'replicasets.apps'), ['a']],
  [
    'a replica set is updated',
    modified(replicaSet('a', { app: 'a' }), replicaSet('a', { app: 'a' }), 'replicasets.apps'),
    ['a'],
  ],
  ['a replica set is deleted', deleted(replicaSet('a', { app: 'a' }), 'replicasets.apps'), ['a']],
  ['another resource changes', added(orphan({ name: 'x' }), 'configmaps'), []],
  ['an owned pod is added', added(owned('a')), ['a']],
  ['a pod of another kind of owner is added', added(owned('a', {}, false, 'Job')), []],
  ['an owned pod is added while it is being deleted', added(owned('a', GOING)), ['a']],
  ['an orphan is added while it is being deleted', added(orphan({ labels: { app: 'a' }, ...GOING })), []],
  ['an orphan that some select is added', added(orphan({ labels: { app: 'a' } })), ['a', 'all']],
  ['an orphan that more select is added', added(orphan({ labels: { app: 'a', tier: 'web' } })), ['a', 'all', 'both']],
  ['an orphan that none selects is added', added(orphan({ labels: { team: 'z' } })), []],
  ['an owned pod is updated', modified(owned('a'), owned('a', { annotations: { a: 'b' } })), ['a']],
  ['an owned pod becomes ready', modified(owned('a'), owned('a', {}, true)), ['a']],
  [
    'an owned pod becomes ready and its owner has minReadySeconds',
    modified(owned('slow'), owned('slow', {}, true)),
    ['slow', 'slow in 11000 ms'],
  ],
  ['a ready pod of such an owner is updated', modified(owned('slow', {}, true), owned('slow', {}, true)), ['slow']],
  ['a pod of such an owner is no longer ready', modified(owned('slow', {}, true), owned('slow')), ['slow']],
  ['a pod gets another owner', modified(owned('a'), owned('slow')), ['a', 'slow']],
  ['a pod is released', modified(owned('a'), orphan({ labels: { app: 'zzz' } })), ['a', 'all']],
  [
    'a pod is released that others select',
    modified(owned('both'), orphan({ labels: { app: 'a' } })),
    ['a', 'all', 'both'],
  ],
  ['an orphan is adopted', modified(orphan({ labels: { app: 'a' } }), owned('a')), ['a']],
  ['an owned pod begins to be deleted', modified(owned('a'), owned('a', GOING)), ['a']],
  [
    'an owned pod begins to be deleted, with other labels and owner',
    modified(owned('slow'), owned('a', GOING)),
    ['a', 'slow'],
  ],
  [
    'an orphan begins to be deleted',
    modified(orphan({ labels: { app: 'a' } }), orphan({ labels: { app: 'a' }, ...GOING })),
    [],
  ],
  [
    'an orphan is relabelled',
    modified(orphan({ labels: { app: 'x' } }), orphan({ labels: { app: 'a' } })),
    ['a', 'all'],
  ],
  ["an orphan's status changes", modified(orphan({ labels: { app: 'a' } }), orphan({ labels: { app: 'a' } })), []],
  ['an owned pod is deleted', deleted(owned('a')), ['a']],
  ['an orphan is deleted', deleted(orphan({ labels: { app: 'a' } })), []],
];

describe('the keys of replica sets when', () => {
  test.each(ROWS)('%s', async (_what, change, keys) => {
    expect(await keysFor(change)).toEqual(keys);
  });

  test('an update has the same version as before: none', async () => {
    expect(
      await keysFor({ type: 'MODIFIED', resource: 'pods', version: 1, before: owned('a'), after: owned('a') }),
    ).toEqual([]);
  });

  test('the owner of that name has another UID: no delayed key', async () => {
    const other = {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'slow', uid: 'old', controller: true }],
    };
    expect(await keysFor(modified(owned('slow', other), owned('slow', other, true)))).toEqual(['slow']);
  });
});

describe('the keys of replication controllers when', () => {
  test.each<[string, Change, string[]]>([
    ['one is added', added(object('ReplicationController', { name: 'rc' }), 'replicationcontrollers'), ['rc']],
    [
      'a pod of one changes',
      modified(owned('rc', {}, false, 'ReplicationController'), owned('rc', {}, true, 'ReplicationController')),
      ['rc'],
    ],
    ['a pod of a replica set changes', modified(owned('a'), owned('a', {}, true)), []],
    ['a replica set changes', added(replicaSet('a', {}), 'replicasets.apps'), []],
  ])('%s', async (_what, change, keys) => {
    expect(await keysFor(change, REPLICATION_CONTROLLER)).toEqual(keys);
  });
});
