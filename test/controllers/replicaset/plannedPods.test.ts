import { assert, nat, property, uuid } from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { type PlannedPod, plannedPods } from '../../../lambdas/controllers/replicaset/plannedPods.ts';

function podAt(id: string, ownerName: string, index: number): PlannedPod {
  const pod = plannedPods({ id, count: index + 1 }, ownerName)[index];
  if (pod === undefined) throw new Error(`the intent names no pod ${index}`);
  return pod;
}

describe('the pods that an intent names', () => {
  test('are the same for every sync', () => {
    const intent = { id: '7e0c9d5e-0000-4000-8000-000000000001', count: 3 };
    expect(plannedPods(intent, 'web')).toEqual(plannedPods({ ...intent }, 'web'));
    expect(plannedPods(intent, 'web')[2]).toEqual(plannedPods({ ...intent, count: 500 }, 'web')[2]);
  });

  test('never share a name or a UID, however many there are', () => {
    assert(
      property(uuid(), (id) => {
        const pods = plannedPods({ id, count: 500 }, 'web');
        expect(new Set(pods.map(({ name }) => name)).size).toBe(500);
        expect(new Set(pods.map(({ uid }) => uid)).size).toBe(500);
      }),
      { numRuns: 10 },
    );
  });

  test('have names and UIDs of the usual form', () => {
    assert(
      property(uuid(), nat(499), (id, index) => {
        const { name, uid } = podAt(id, 'web-5d9c', index);
        expect(name).toMatch(/^web-5d9c-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
        expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  test('have names of at most 63 characters with the whole suffix, as generated names do', () => {
    const { name } = podAt('x', 'a'.repeat(200), 0);
    expect(name).toMatch(/^a{58}[a-z0-9]{5}$/);
  });
});
