import { FileSigningKeys } from '../../lambdas/adapters/embedded/FileSigningKeys.ts';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { LmdbKeyItemStorage } from '../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';

/** Opens what a data directory keeps: the journal of the objects, the intents, and the key of the service accounts' tokens. Throws a DataDirectoryError if it cannot be used, and leaves it unlocked then. */
export async function openStorage(directory: string) {
  const journal = await LmdbJournal.openCompact(directory);
  try {
    return { journal, keyItems: LmdbKeyItemStorage.open(directory), signingKeys: new FileSigningKeys(directory) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}
