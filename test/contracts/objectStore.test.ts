import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { objectStoreContract } from './objectStoreContract.ts';

objectStoreContract('embedded, in memory', async () =>
  openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0) }),
);

objectStoreContract('embedded, on LMDB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-store-'));
  const store = openEmbeddedStore({ journal: LmdbJournal.open(directory), clock: new VirtualClock(0) });
  const close = async () => {
    await store.close();
    await rm(directory, { recursive: true });
  };
  return { ...store, close };
});
