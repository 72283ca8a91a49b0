import { beforeEach, describe, expect, test } from 'vitest';
import { GuardedRegistry } from '../../../lambdas/controllers/GuardedWriters.ts';
import {
  claimRevisions,
  CONTROLLER_REVISIONS,
  listControllerRevisions,
} from '../../../lambdas/controllers/history/claimRevisions.ts';
import {
  createControllerRevision,
  deleteControllerRevisions,
  updateControllerRevision,
} from '../../../lambdas/controllers/history/commitRevisions.ts';
import { templateOf } from '../../../lambdas/controllers/history/templatePatch.ts';
import type { ControllerRevision } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { draftOf, OWNER, revisionOf } from '../../support/historyFixtures.ts';

let bench: ControllerBench;
let registry: GuardedRegistry;

beforeEach(async () => {
  bench = new ControllerBench();
  registry = new GuardedRegistry(bench.registry, () => Number.POSITIVE_INFINITY);
  await bench.registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.objectStore.create('deployments.apps', OWNER);
});

async function put(revision: ControllerRevision): Promise<ControllerRevision> {
  const outcome = await bench.objectStore.create<ControllerRevision>(CONTROLLER_REVISIONS, revision);
  if (outcome.status !== 'stored') throw new Error(outcome.status);
  return outcome.object;
}

const namesOf = (revisions: readonly ControllerRevision[]) => revisions.map(({ metadata }) => metadata.name);

describe('createControllerRevision', () => {
  test('stores the revision under its name', async () => {
    const created = await createControllerRevision(registry, OWNER, draftOf('a'), undefined);
    expect(created).toMatchObject({ status: 'stored', revision: { metadata: { name: draftOf('a').metadata.name } } });
  });

  test('takes the one that has the name and keeps the same: an earlier sync has made it', async () => {
    const first = await createControllerRevision(registry, OWNER, draftOf('a', 1), undefined);
    const second = await createControllerRevision(registry, OWNER, draftOf('a', 2), undefined);
    expect(second).toMatchObject({ status: 'stored', writes: [], revision: (first as { revision: object }).revision });
  });

  test('counts a collision for each name that something else has', async () => {
    await put(revisionOf('other', 1, { name: draftOf('a').metadata.name }));
    await put(revisionOf('other', 1, { name: draftOf('a', 1, 1).metadata.name, uid: 'uid-2' }));
    const created = await createControllerRevision(registry, OWNER, draftOf('a'), undefined);
    expect(created).toMatchObject({
      collisionCount: 2,
      revision: { metadata: { name: draftOf('a', 1, 2).metadata.name } },
    });
  });
});

describe('updateControllerRevision', () => {
  test('gives the revision its new number, and keeps what it holds', async () => {
    const stored = await put(revisionOf('a', 1));
    const updated = await updateControllerRevision(registry, stored, 3, 0);
    if (updated.status !== 'stored') throw new Error(updated.status);
    expect(updated.revision.revision).toBe(3);
    expect(templateOf(updated.revision)).toEqual(templateOf(stored));
  });

  test('writes nothing for the number that it has', async () => {
    const stored = await put(revisionOf('a', 1));
    expect(await updateControllerRevision(registry, stored, 1, 0)).toMatchObject({ writes: [], revision: stored });
  });

  test('tells a conflict if the revision has changed or is gone', async () => {
    const stored = await put(revisionOf('a', 1));
    await updateControllerRevision(registry, stored, 2, 0);
    expect(await updateControllerRevision(registry, stored, 3, 0)).toEqual({ status: 'conflict' });
  });
});

describe('deleteControllerRevisions', () => {
  test('deletes revisions as they were read, and leaves one that was taken into use again', async () => {
    const [a, b] = [await put(revisionOf('a', 1)), await put(revisionOf('b', 2))];
    await updateControllerRevision(registry, b, 3, 0);
    expect(await deleteControllerRevisions(registry, [a, b])).toEqual(['delete controllerrevisions.apps default/a']);
    expect(namesOf(await listControllerRevisions(bench.registry, OWNER))).toEqual(['b']);
  });
});

describe('claimRevisions', () => {
  const selector = { matchLabels: { app: 'web' } };
  const key = { resource: 'deployments.apps', namespace: 'default', name: 'web' };

  async function claim(releases: boolean) {
    const listed = await listControllerRevisions(bench.registry, OWNER);
    return await claimRevisions(registry, { object: OWNER, key, selector, releases }, listed);
  }

  test('adopts matching orphans and returns all in order', async () => {
    await put(revisionOf('a', 2));
    await put(revisionOf('b', 1, { ownerReferences: [] }));
    await put(revisionOf('c', 3, { ownerReferences: [], labels: { app: 'x' } }));
    const { claimed, writes } = await claim(false);
    expect(namesOf(claimed)).toEqual(['b', 'a']);
    expect(writes).toEqual(['adopt controllerrevisions.apps default/b']);
  });

  test.each<[string, boolean, string[]]>([
    ['are released', true, ['release controllerrevisions.apps default/a']],
    ['stay', false, []],
  ])('revisions that no longer match %s, as the kind of the owner wants it', async (_, releases, expected) => {
    await put(revisionOf('a', 1, { labels: { app: 'x' } }));
    const { claimed, writes } = await claim(releases);
    expect(claimed).toEqual([]);
    expect(writes).toEqual(expected);
  });
});
