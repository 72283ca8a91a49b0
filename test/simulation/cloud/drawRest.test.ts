import { describe, expect, test } from 'vitest';
import type { ClientOp, Target, TimedOp } from '../ClientOp.ts';
import { Random } from '../Random.ts';
import { drawRest, type Rest } from './drawRest.ts';

const WEB: Target = { resource: 'deployments.apps', namespace: 'a', name: 'web', app: 'web' };
const SET: Target = { resource: 'replicasets.apps', namespace: 'a', name: 'set', app: 'set' };
const DAY_HOURS = 24;

function creationOf(target: Target): ClientOp {
  const strategy = { type: 'RollingUpdate' } as const;
  return { op: 'create', target, replicas: 1, image: 'app:1', strategy, minReadySeconds: 0, habits: {} };
}

function timed(...ops: readonly ClientOp[]): readonly TimedOp[] {
  return ops.map((op, at) => ({ atMs: at, op }));
}

/** The rests that many seeds draw after these actions. */
function restsAfter(...ops: readonly ClientOp[]): readonly Rest[] {
  const drawn = Array.from({ length: 400 }, (_, seed) => drawRest(new Random(seed), { ops: timed(...ops) }));
  return drawn.filter((rest) => rest !== undefined);
}

describe('a rest', () => {
  test('comes after about one run in four', () => {
    const { length } = restsAfter(creationOf(WEB));
    expect(length).toBeGreaterThan(70);
    expect(length).toBeLessThan(130);
  });

  test('has a resync at least daily, and lasts longer than the stream keeps records if a trigger reads nothing', () => {
    for (const { hours, unread } of restsAfter(creationOf(WEB))) {
      expect(Math.max(...hours)).toBeLessThanOrEqual(DAY_HOURS + 1);
      if (unread) expect(hours.reduce((sum, some) => sum + some)).toBeGreaterThan(DAY_HOURS);
    }
  });

  test('creates again what was deleted, before anything else is done to it', () => {
    for (const { ops, unread } of restsAfter(creationOf(SET), { op: 'delete', target: SET, policy: 'Background' }))
      expect([...(unread?.ops ?? []), ...ops][0]?.op.op).toBe('create');
  });

  test('changes what is there, images of Deployments only, and each workload', () => {
    const rests = restsAfter(creationOf(WEB), creationOf(SET));
    const seen = new Set(rests.flatMap(({ ops }) => ops.map(({ op }) => `${op.op} ${op.target.name}`)));
    expect([...seen].sort()).toEqual(['deletePod set', 'deletePod web', 'image web', 'scale set', 'scale web']);
  });

  test('goes on with faults until its last action has begun', () => {
    for (const { ops, endMs } of restsAfter(creationOf(WEB)))
      expect(endMs).toBeGreaterThanOrEqual(ops.at(-1)?.atMs ?? 0);
  });
});
