import { expect, it } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { ChangeLog } from '../../../lambdas/ports/ChangeLog.ts';
import { HeldLists } from '../../../lambdas/rest/list/HeldLists.ts';
import { readLatest } from '../../../lambdas/rest/list/readConsistently.ts';
import type { ApiDependencies } from '../../../lambdas/rest/request/ResourceRequest.ts';

const MINUTE_MS = 60_000;

/** A namespace whose lists meet old tombstones, and a log that may or may not hold what they read. */
class Listed {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  holdsReads = true;
  drops = 0;
  drop = async () => void (this.drops += 1);
  readonly #heldLists = new HeldLists(this.clock);

  async list(namespace?: string): Promise<void> {
    const registry = { list: async () => ({ items: [], more: false, dropTombstones: this.drop }) };
    const changeLog = {
      head: async () => 1,
      catchUp: async () => ({ position: 1, changes: [], holdsReads: this.holdsReads }),
    } as unknown as ChangeLog;
    const dependencies = { registry, changeLog, heldLists: this.#heldLists } as unknown as ApiDependencies;
    const query = { resource: 'pods', namespace, limit: 0, after: undefined };
    await readLatest(dependencies, query, new AbortController().signal);
  }
}

it('a list drops tombstones if a list at least a minute ago found that the log held all removals', async () => {
  const listed = new Listed();
  await listed.list();
  listed.clock.advanceBy(MINUTE_MS - 1);
  await listed.list();
  expect(listed.drops).toBe(0);
  listed.clock.advanceBy(1);
  await listed.list();
  expect(listed.drops).toBe(1);
  await listed.list();
  expect(listed.drops).toBe(1);
});

it.each<[string, (listed: Listed) => void]>([
  ['the log does not hold what it read', (listed) => void (listed.holdsReads = false)],
  [
    'the earlier list is an hour old, since it has not met all the tombstones',
    ({ clock }) => clock.advanceBy(3_600_000),
  ],
  ['the time of day was set back, so that nobody knows how long ago that was', ({ clock }) => clock.step(-MINUTE_MS)],
])('a list drops no tombstones if %s', async (_, change) => {
  const listed = new Listed();
  await listed.list();
  listed.clock.advanceBy(MINUTE_MS);
  change(listed);
  await listed.list();
  expect(listed.drops).toBe(0);
});

it('a list of one namespace says nothing of another', async () => {
  const listed = new Listed();
  await listed.list('a');
  listed.clock.advanceBy(MINUTE_MS);
  await listed.list('b');
  expect(listed.drops).toBe(0);
});

it('a list is answered although the tombstones cannot be dropped', async () => {
  const listed = new Listed();
  await listed.list();
  listed.clock.advanceBy(MINUTE_MS);
  listed.drop = () => Promise.reject(new Error('no permission'));
  await listed.list();
});
