import { expect, test } from 'vitest';
import { GroupCommit } from '../../../lambdas/adapters/embedded/GroupCommit.ts';
import type { NewEntry } from '../../../lambdas/adapters/embedded/Journal.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { StoreHealth } from '../../../lambdas/adapters/embedded/StoreHealth.ts';

/** A journal in memory after whose flush few writers go on at once, as after that of a file. */
class SlowJournal extends MemoryJournal {
  override readonly writersInTurn = 2;
}

function burn(version: number): NewEntry {
  const entry = {
    resource: 'pods',
    namespace: 'default',
    name: `web-${version}`,
    version,
    uid: `${version}`,
    atMs: 0,
  } as const;
  return { entry: { ...entry, type: 'BURNED' } };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('many writers of one batch go on in several turns of the event loop, in their order', async () => {
  const shown: number[] = [];
  const health = new StoreHealth(() => {});
  const commits = new GroupCommit(new SlowJournal(), health, (entries) =>
    shown.push(...entries.map(({ version }) => version)),
  );
  const released: number[] = [];
  const writes = [1, 2, 3, 4, 5].map((version) => commits.write(burn(version)).then(() => released.push(version)));
  await commits.drained();
  expect(shown).toEqual([1, 2, 3, 4, 5]);
  const inTurns: number[] = [released.length];
  while (released.length < 5) {
    await turn();
    inTurns.push(released.length);
  }
  expect(inTurns).toEqual([2, 4, 5]);
  expect(released).toEqual([1, 2, 3, 4, 5]);
  await Promise.all(writes);
});

test('if the journal fails, no writer is left waiting', async () => {
  class FailingJournal extends SlowJournal {
    override append(): Promise<void> {
      return Promise.reject(new Error('the disk is full'));
    }
  }
  const commits = new GroupCommit(new FailingJournal(), new StoreHealth(() => {}), () => {});
  const writes = [1, 2, 3].map((version) => commits.write(burn(version)));
  const ends = await Promise.allSettled(writes);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
