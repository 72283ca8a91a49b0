import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { ConfiguredObjects } from '../../../../lambdas/registry/admission/dynamic/ConfiguredObjects.ts';
import { FakeObjectStore } from '../../../support/FakeObjectStore.ts';

const RESOURCE = 'mutatingwebhookconfigurations.admissionregistration.k8s.io';
const DAY_MS = 86_400_000;

let clock: VirtualClock;
let objectStore: FakeObjectStore;
let compiled: string[];

beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  objectStore = new FakeObjectStore();
  compiled = [];
});

function configured(rememberMs?: number) {
  const parts = { objectStore, clock, ...(rememberMs !== undefined && { rememberMs }) };
  return new ConfiguredObjects(parts, RESOURCE, ({ metadata }) => {
    compiled.push(metadata.name);
    return metadata.name;
  });
}

async function store(name: string): Promise<void> {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
  await objectStore.create(RESOURCE, { apiVersion: 'v1', kind: 'Kind', metadata });
}

const reads = () => objectStore.calls.filter((call) => call.startsWith('list')).length;

describe('what configures admission', () => {
  it('is read once by requests that come together, and sorted by name', async () => {
    await store('b');
    await store('a');
    const objects = configured(1_000);
    expect(await Promise.all([objects.list(), objects.list()])).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(reads()).toBe(1);
  });

  it.each([
    { rememberMs: 1_000, afterMs: 999, read: 1 },
    { rememberMs: 1_000, afterMs: 1_000, read: 2 },
    { rememberMs: Number.POSITIVE_INFINITY, afterMs: DAY_MS, read: 1 },
    { rememberMs: undefined, afterMs: 0, read: 2 },
  ])(
    'is read $read times within $afterMs ms if it is remembered for $rememberMs ms',
    async ({ rememberMs, afterMs, read }) => {
      const objects = configured(rememberMs);
      await objects.list();
      clock.advanceBy(afterMs);
      await objects.list();
      expect(reads()).toBe(read);
    },
  );

  it('is read anew once this process has written one, and compiles only what has changed', async () => {
    await store('a');
    const objects = configured(Number.POSITIVE_INFINITY);
    await objects.list();
    await store('b');
    objects.forget('pods');
    expect(await objects.list()).toEqual(['a']);
    objects.forget(RESOURCE);
    expect(await objects.list()).toEqual(['a', 'b']);
    expect(compiled).toEqual(['a', 'b']);
  });

  it('is known to be empty from the end of a read that found nothing, for as long as that is remembered', async () => {
    const objects = configured(1_000);
    const reading = objects.list();
    expect(objects.isKnownEmpty).toBe(false);
    await reading;
    expect(objects.isKnownEmpty).toBe(true);
    clock.advanceBy(1_000);
    expect(objects.isKnownEmpty).toBe(false);
  });

  it('is not known to be empty if one exists, and after a write of this process', async () => {
    const objects = configured(Number.POSITIVE_INFINITY);
    await objects.list();
    objects.forget(RESOURCE);
    expect(objects.isKnownEmpty).toBe(false);
    await store('a');
    await objects.list();
    expect(objects.isKnownEmpty).toBe(false);
  });

  it('does not remember a failure', async () => {
    const failing = Object.assign(new FakeObjectStore(), { list: () => Promise.reject(new Error('no')) });
    const objects = new ConfiguredObjects({ objectStore: failing, clock, rememberMs: 1_000 }, RESOURCE, String);
    await expect(objects.list()).rejects.toThrow('no');
    Object.assign(failing, { list: () => objectStore.list(RESOURCE) });
    expect(await objects.list()).toEqual([]);
  });
});
