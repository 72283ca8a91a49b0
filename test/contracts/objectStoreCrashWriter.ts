import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { changed, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

// Runs as a separate process, which a test kills. It writes to the given data directory until then, and prints a line `what name version` for each
// acknowledged write.

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
