import { beforeEach, describe, expect, test } from 'vitest';
import { type ClaimsToCommit, commitClaims } from '../../../lambdas/controllers/claim/commitClaims.ts';
import { type Claimant, decideClaims } from '../../../lambdas/controllers/claim/decideClaims.ts';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { deploymentOf, replicaSetOf } from '../../support/deploymentFixtures.ts';

const DELETED = '2026-01-01T00:00:00Z';

function claimantOf(object: Deployment): Claimant {
  return { object, matches: ({ metadata }) => metadata.labels?.['app'] === 'web' };
}

function candidate(owner: 'us' | 'other' | 'none', facts: Partial<ReplicaSet['metadata']> = {}): ReplicaSet {
  const uid = owner === 'us' ? 'uid-web' : 'uid-other';
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true }];
  return replicaSetOf('rs', {
    replicas: 1,
    metadata: { ownerReferences: owner === 'none' ? [] : ownerReferences, ...facts },
  });
}

describe('decideClaims, like ControllerRefManager', () => {
  const other = { labels: { app: 'x' } };

  test.each<[string, ReplicaSet, boolean, string | undefined]>([
    ['ours and matching: kept', candidate('us'), false, 'kept'],
    [
      'ours and matching, while it is being deleted: kept',
      candidate('us', { deletionTimestamp: DELETED }),
      false,
      'kept',
    ],
    ['ours, no longer matching: released', candidate('us', other), false, 'release'],
    ["someone else's: let alone, though it matches", candidate('other'), false, undefined],
    ['a matching orphan: adopted', candidate('none'), false, 'adopt'],
    ['an orphan that does not match: let alone', candidate('none', other), false, undefined],
    ['an orphan that is being deleted: let alone', candidate('none', { deletionTimestamp: DELETED }), false, undefined],
    ['an orphan of another namespace: let alone', candidate('none', { namespace: 'else' }), false, undefined],
    ['we are being deleted, ours and matching: kept', candidate('us'), true, 'kept'],
    ['we are being deleted, ours and not matching: not released', candidate('us', other), true, undefined],
    ['we are being deleted, a matching orphan: not adopted', candidate('none'), true, undefined],
  ])('%s', (_, object, deleting, expected) => {
    const owner = deploymentOf({ metadata: deleting ? { deletionTimestamp: DELETED } : {} });
    const claims = decideClaims(claimantOf(owner), [object]);
    const names = Object.entries(claims).flatMap(([name, objects]) => (objects.length > 0 ? [name] : []));
    expect(names).toEqual(expected ? [expected] : []);
  });

  // Owned objects and orphans are listed one after the other, so one whose controller changes in between is in both lists.
  test.each<[string, ReplicaSet, ReplicaSet, boolean, 'kept' | 'adopt' | 'release']>([
    ['matching: the adoption finds out', candidate('us'), candidate('none'), false, 'adopt'],
    ['not matching as an orphan: kept', candidate('us'), candidate('none', other), false, 'kept'],
    ['not matching as ours: the release finds out', candidate('us', other), candidate('none', other), false, 'release'],
    ['matching, while we are being deleted: kept', candidate('us'), candidate('none'), true, 'kept'],
  ])('an object that is listed twice, as ours and as an orphan, %s, once', (_, owned, orphan, deleting, expected) => {
    const owner = deploymentOf({ metadata: deleting ? { deletionTimestamp: DELETED } : {} });
    for (const candidates of [
      [owned, orphan],
      [orphan, owned],
    ]) {
      const none = { kept: [], adopt: [], release: [] };
      const claims = { ...none, [expected]: [expected === 'adopt' ? orphan : owned] };
      expect(decideClaims(claimantOf(owner), candidates)).toEqual(claims);
    }
  });
});

describe('commitClaims', () => {
  let bench: ControllerBench;
  let stored: Deployment;

  beforeEach(async () => {
    bench = new ControllerBench();
    await bench.objectStore.create('deployments.apps', deploymentOf());
    stored = (await bench.get<Deployment>('deployments.apps', 'default', 'web')) as Deployment;
  });

  async function put(name: string, facts: Partial<ReplicaSet['metadata']>): Promise<ReplicaSet> {
    const object = replicaSetOf(name, { replicas: 0, metadata: { ownerReferences: [], ...facts } });
    const outcome = await bench.objectStore.create<ReplicaSet>('replicasets.apps', object);
    if (outcome.status !== 'stored') throw new Error(outcome.status);
    return outcome.object;
  }

  function commit(candidates: readonly ReplicaSet[], facts: Partial<ClaimsToCommit> = {}) {
    const claimant = claimantOf(stored);
    const claimantKey = { resource: 'deployments.apps', namespace: 'default', name: 'web' };
    const registry = new GuardedRegistry(bench.registry, () => Number.POSITIVE_INFINITY);
    const to = { registry, claimant, claimantKey, resource: 'replicasets.apps' };
    return commitClaims(decideClaims(claimant, candidates), { ...to, ...facts });
  }

  const reference = (uid: string, controller: boolean) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    uid,
    controller,
  });

  test('makes the claimant the controller of an adopted orphan, which blocks the deletion of the claimant', async () => {
    const { claimed, writes } = await commit([await put('a', { ownerReferences: [reference('someone', false)] })]);
    expect(claimed[0]?.metadata.ownerReferences).toEqual([
      reference('someone', false),
      { ...reference('uid-web', true), blockOwnerDeletion: true },
    ]);
    expect(writes).toEqual(['adopt replicasets.apps default/a']);
  });

  test('leaves a released object its other owners', async () => {
    const owners = [reference('uid-web', true), reference('someone', false)];
    await commit([await put('a', { labels: { app: 'x' }, ownerReferences: owners })]);
    const released = await bench.get<ReplicaSet>('replicasets.apps', 'default', 'a');
    expect(released?.metadata.ownerReferences).toEqual([reference('someone', false)]);
  });

  test('decides again about an object that changed meanwhile', async () => {
    const first = await put('a', {});
    await bench.registry.update('replicasets.apps', {
      ...first,
      metadata: { ...first.metadata, labels: { app: 'web', more: 'x' } },
    });
    const second = await put('b', {});
    await bench.registry.update('replicasets.apps', {
      ...second,
      metadata: { ...second.metadata, labels: { app: 'x' } },
    });
    const { claimed } = await commit([first, second]);
    expect(claimed.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  test('skips an object that is gone', async () => {
    const first = await put('a', {});
    await bench.objectStore.remove({ resource: 'replicasets.apps', namespace: 'default', name: 'a' });
    expect((await commit([first])).claimed).toEqual([]);
  });

  test.each([
    ['is gone', removeOwner, /original Deployment default\/web is gone$/],
    [
      'is another one by that name',
      async () => {
        await removeOwner();
        await bench.objectStore.create('deployments.apps', deploymentOf({ metadata: { uid: 'uid-second' } }));
      },
      /is gone: got uid uid-second, wanted uid-web/,
    ],
    [
      'is being deleted',
      async () => {
        const metadata = { ...stored.metadata, deletionTimestamp: DELETED, finalizers: ['x/y'] };
        await bench.objectStore.replace('deployments.apps', { ...stored, metadata });
      },
      /has just been deleted at/,
    ],
  ])('adopts nothing if the claimant, read again, %s', async (_, happen, message) => {
    const first = await put('a', {});
    await happen();
    await expect(commit([first])).rejects.toThrow(message);
    expect((await bench.get<ReplicaSet>('replicasets.apps', 'default', 'a'))?.metadata.ownerReferences ?? []).toEqual(
      [],
    );
  });

  test('adopts nothing for a claimant that is gone, even if the object was to be released when it was listed', async () => {
    const listed = await put('a', { labels: { app: 'x' }, ownerReferences: [reference('uid-web', true)] });
    const metadata = { ...listed.metadata, labels: { app: 'web' }, ownerReferences: [] };
    await bench.objectStore.replace('replicasets.apps', { ...listed, metadata });
    await removeOwner();
    await expect(commit([listed])).rejects.toThrow(/: original Deployment default\/web is gone$/);
    const left = await bench.get<ReplicaSet>('replicasets.apps', 'default', 'a');
    expect(left?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('commits the other claims when one fails, and throws all failures together', async () => {
    const candidates = [await put('a', {}), await put('b', {}), await put('c', {})];
    const failing: Registry = {
      ...bench.registry,
      update: (resource, object, options) => {
        if (object.metadata.name !== 'b') throw new Error(`no ${object.metadata.name}`);
        return bench.registry.update(resource, object, options);
      },
    };
    const error = await commit(candidates, {
      registry: new GuardedRegistry(failing, () => Number.POSITIVE_INFINITY),
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual([
      "Error: can't adopt ReplicaSet default/a (uid-a): no a",
      "Error: can't adopt ReplicaSet default/c (uid-c): no c",
    ]);
    const adopted = await bench.get<ReplicaSet>('replicasets.apps', 'default', 'b');
    expect(adopted?.metadata.ownerReferences?.[0]?.uid).toBe('uid-web');
  });

  async function removeOwner(): Promise<void> {
    await bench.objectStore.remove({ resource: 'deployments.apps', namespace: 'default', name: 'web' });
  }
});
