import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { changed, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

// Run as a process of its own, to be killed: writes to the data directory that it is given for as long as it lives, and prints a line,
// `what name version`, for each write once it is acknowledged.

const journal = LmdbJournal.open(process.argv[2] ?? '');
const { objectStore } = openEmbeddedStore({ journal, clock: new SystemClock() });

function acknowledge(what: string, object: Parameters<typeof versionOf>[0]): void {
  process.stdout.write(`${what} ${object.metadata.name} ${versionOf(object)}\n`);
}

async function writeOn(writer: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const object = await stored(objectStore, 'configmaps', sample(`${writer}-${n}`));
    acknowledge('stored', object);
    const newer = await changed(objectStore, 'configmaps', object, 'second');
    acknowledge('stored', newer);
    if (n % 2 === 0) acknowledge('removed', await removed(objectStore, 'configmaps', newer));
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => writeOn(writer)));
