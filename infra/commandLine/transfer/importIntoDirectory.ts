import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { LmdbJournal } from '../../../lambdas/adapters/embedded/LmdbJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { JOURNAL_DIRECTORY } from '../../../lambdas/adapters/embedded/salvageJournal.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { type ResourceEntry, storageApiVersion } from '../../../lambdas/registry/ResourceEntry.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { type DefinedKind, definedKinds } from '../../host/definedKinds.ts';
import { UsageError } from '../../host/UsageError.ts';
import type { Imported } from './importThroughApi.ts';

/** How many objects are written at the same time, which share a flush of the disk. */
const CONCURRENCY = 64;

/**
 * Writes the objects into a new data directory as they are: with their UIDs, owners, times and statuses. So every owner reference stays right, and running pods stay. Throws a UsageError if the
 * directory holds objects already, or if the objects came without their UIDs.
 */
export async function importIntoDirectory(
  dataDir: string,
  objects: readonly KubernetesObject[],
  onProgress: (done: number, of: number) => void,
): Promise<Imported> {
  const nameless = objects.find(({ metadata }) => !metadata.uid || !metadata.creationTimestamp);
  if (nameless) throw new UsageError('the file holds objects without UIDs; write it by export --complete');
  if (existsSync(join(dataDir, JOURNAL_DIRECTORY))) {
    throw new DataDirectoryError(
      dataDir,
      'has objects already; import into a new one, or through the API of its server',
    );
  }
  const store = openEmbeddedStore({ journal: LmdbJournal.open(dataDir), clock: new SystemClock() });
  const defined = definedKinds(objects);
  const refused: string[] = [];
  let done = 0;
  const waiting = objects.values();
  const worker = async () => {
    for (const object of waiting) {
      const why = await write(store.objectStore, object, defined);
      if (why !== undefined) refused.push(`${object.kind} ${object.metadata.name}: ${why}`);
      onProgress((done += 1), objects.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  } finally {
    await store.close();
  }
  return { created: objects.length - refused.length, existing: 0, leftToControllers: 0, refused };
}

type Store = ReturnType<typeof openEmbeddedStore>['objectStore'];

/** Returns why the object was not stored, if it was not. */
async function write(
  objectStore: Store,
  object: KubernetesObject,
  defined: readonly DefinedKind[],
): Promise<string | undefined> {
  const builtIn = resourceEntries.find((one) => isOf(one, object))?.groupResource;
  const custom = builtIn === undefined ? defined.find((one) => isDefinedBy(one, object)) : undefined;
  const resource = builtIn ?? custom?.groupResource;
  if (resource === undefined) return `no matches for kind ${object.kind} in version ${object.apiVersion}`;
  const stored = custom ? { ...object, apiVersion: `${custom.group}/${custom.storageVersion}` } : object;
  const outcome = await objectStore.create(resource, stored);
  return outcome.status === 'stored'
    ? undefined
    : outcome.status === 'exists'
      ? 'it is there twice'
      : 'it is too large';
}

/** An object of a custom kind may come in any version of its definition, which is among the objects. */
function isDefinedBy({ group, kind }: DefinedKind, object: KubernetesObject): boolean {
  return kind === object.kind && object.apiVersion.startsWith(`${group}/`);
}

/** Objects are stored in one version. The API lists them in the same, which it prefers. */
function isOf(entry: ResourceEntry, { apiVersion, kind }: KubernetesObject): boolean {
  return entry.virtual !== true && entry.kind === kind && storageApiVersion(entry) === apiVersion;
}
