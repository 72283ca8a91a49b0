import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { type ChangeLogHarness, changeLogContract } from './changeLogContract.ts';
import { sample, stored } from './objectStoreSamples.ts';

const RETAINED_CHANGES = 200;

/** `giveTurn`: readers go on in turns of the event loop, as on the real clock. */
function openHarness(journal: Journal, giveTurn?: () => Promise<void>): ChangeLogHarness {
  const store = openEmbeddedStore({ journal, clock: new VirtualClock(0), giveTurn, retainedChanges: RETAINED_CHANGES });
  const loseHistory = async (resource: string) => {
    const names = Array.from({ length: 2 * RETAINED_CHANGES }, (_, n) => `later-${n}`);
    await Promise.all(names.map((name) => stored(store.objectStore, resource, sample(name))));
  };
  return { ...store, loseHistory };
}

changeLogContract('embedded, in memory', async () => openHarness(new MemoryJournal()));

changeLogContract('embedded, whose readers take turns', async () => openHarness(new MemoryJournal(), setImmediate));

changeLogContract('embedded, on LMDB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-log-'));
  const harness = openHarness(LmdbJournal.open(directory));
  const close = async () => {
    await harness.close();
    await rm(directory, { recursive: true });
  };
  return { ...harness, close };
});
