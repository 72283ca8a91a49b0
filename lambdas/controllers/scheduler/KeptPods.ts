import type { Pod } from '../../objects/kinds.ts';
import type { Change, ChangeLog } from '../../ports/ChangeLog.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { ClusterPods } from './framework/ClusterPods.ts';

interface Kept {
  readonly pods: ClusterPods;
  /** The place in the log that the pods stand for. */
  position: number;
}

/** How the scheduler gets to know all pods, as they are now. */
export type PodsReader = (registry: RegistryReader) => Promise<ClusterPods>;

/** A log that is never behind does not wait. */
const NEVER = new AbortController().signal;

/** Lists all pods, each time. */
export const listPods: PodsReader = async (registry) => ClusterPods.of((await registry.list<Pod>('pods')).items);

/**
 * Keeps the pods from one sync to the next, with the place in the change log that they stand for, and reads only what came after. So a sync takes no longer with more pods that have not changed. It is as exact as a list, since the
 * log is one that is never behind: a change and its object become readable at the same moment. If the log has gone on without it, it lists all pods anew.
 */
export class KeptPods {
  readonly #log: Pick<ChangeLog, 'head' | 'changesSince'>;
  #kept: Kept | undefined;

  constructor(log: Pick<ChangeLog, 'head' | 'changesSince'>) {
    this.#log = log;
  }

  readonly read: PodsReader = async (registry) => {
    const kept = this.#kept ?? (await this.#list(registry));
    const changes = await this.#log.changesSince('pods', kept.position, [], NEVER);
    if (changes !== 'expired') return this.#bringUpToDate(kept, changes);
    this.#kept = undefined;
    return await this.read(registry);
  };

  /** A picture that a change could not be put into is thrown away. */
  #bringUpToDate(kept: Kept, changes: readonly Change[]): ClusterPods {
    try {
      return bringUpToDate(kept, changes);
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
  }

  /** What changes while the list is read is in the list or comes after the position, or both. */
  async #list(registry: RegistryReader) {
    const position = await this.#log.head('pods');
    const kept = { pods: await listPods(registry), position };
    this.#kept = kept;
    return kept;
  }
}

/** Another caller may have done it meanwhile. What a list had already is put again, up to the newest. */
function bringUpToDate(kept: Kept, changes: readonly Change[]): ClusterPods {
  for (const change of changes) {
    if (change.version <= kept.position) continue;
    kept.position = change.version;
    apply(kept.pods, change);
  }
  return kept.pods;
}

function apply(pods: ClusterPods, change: Change): void {
  if (change.after) pods.put(change.after);
  else pods.remove(change.before.metadata.uid);
}
