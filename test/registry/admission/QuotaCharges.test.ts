import { describe, expect, test } from 'vitest';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { QuotaCharges, type ResourceQuota } from '../../../lambdas/registry/admission/QuotaCharges.ts';

/** A quota of pods in a table whose answers take a moment. */
class QuotaTable {
  writes = 0;
  version = 1;
  used = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get quota(): ResourceQuota {
    const hard = { pods: `${this.limit}` };
    return {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'd', uid: 'u', resourceVersion: `${this.version}`, creationTimestamp: '' },
      spec: { hard },
      status: { hard, used: { pods: `${this.used}` } },
    };
  }

  /** A process that charges this quota. */
  process(seed: number): QuotaCharges {
    return new QuotaCharges({ objectStore: this as never, clock: new SystemClock(), ids: new SeededIds(seed) });
  }

  async get() {
    await pause();
    return this.quota;
  }

  async replace(_resource: string, object: KubernetesObject) {
    this.writes += 1;
    await pause();
    const isCurrent = object.metadata.resourceVersion === `${this.version}`;
    if (isCurrent) {
      this.version += 1;
      this.used = Number((object as ResourceQuota).status?.used?.['pods']);
    }
    await pause();
    return isCurrent ? { status: 'stored', object: this.quota } : { status: 'conflict', current: this.quota };
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

function pod(n: number): KubernetesObject {
  const metadata = { name: `p${n}`, namespace: 'd', uid: `${n}`, resourceVersion: '', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } };
}

function chargeAll(charges: readonly QuotaCharges[], quota: ResourceQuota, count: number) {
  const all = charges.flatMap((process, at) => {
    const pods = Array.from({ length: count / charges.length }, (_, n) => pod(n * charges.length + at));
    return pods.map((draft) => process.charge(quota, { resource: 'pods', draft }));
  });
  return Promise.all(all);
}

describe('concurrent creates charge a quota', () => {
  test('in few writes, each create once', async () => {
    const table = new QuotaTable(1_000);
    const refusals = await chargeAll([table.process(1)], table.quota, 244);
    expect(refusals.filter(Boolean)).toEqual([]);
    expect(table.used).toBe(244);
    expect(table.writes).toBeLessThanOrEqual(3);
  });

  test('in several processes, each create once', async () => {
    const table = new QuotaTable(1_000);
    const processes = Array.from({ length: 8 }, (_, seed) => table.process(seed));
    const refusals = await chargeAll(processes, table.quota, 400);
    expect(refusals.filter(Boolean)).toEqual([]);
    expect(table.used).toBe(400);
    expect(table.writes).toBeLessThanOrEqual(200);
  });

  test('up to its limit, and the others are refused', async () => {
    const table = new QuotaTable(100);
    const refusals = await chargeAll([table.process(1), table.process(2)], table.quota, 150);
    expect(refusals.filter((refusal) => refusal?.reason === 'Forbidden')).toHaveLength(50);
    expect(table.used).toBe(100);
  });

  test('as it is now, and not as it was when it was listed', async () => {
    const table = new QuotaTable(1);
    table.used = 1;
    const full = table.quota;
    table.used = 0;
    table.version += 1;
    expect(await table.process(1).charge(full, { resource: 'pods', draft: pod(1) })).toBeUndefined();
    expect(table.used).toBe(1);
  });
});
