import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import { LoggedVersions } from './LoggedVersions.ts';
import { decodeReads } from './logContents.ts';
import type { LogParts } from './LogParts.ts';
import type { LogSegment } from './LogSegment.ts';
import type { LogTable } from './LogTable.ts';
import { type LogState, MEMORY_MS, namesObjects, skippedTo, withSegment } from './logState.ts';
import { chunkOf } from './VersionSet.ts';

/** If a position is further ahead, the versions in between were never drawn: somebody raised the counter. */
const CHUNKS_PER_SEGMENT = 64;

/** What a segment names, of a list or of an epoch. */
interface Barrier {
  readonly named: readonly ReadVersion[];
  /** Older changes of the named objects may be on their way although the named versions are logged. */
  readonly lasting: boolean;
  readonly atMs: number;
}

/** The reads of the log's items that knowing a log takes. */
export interface LogReads {
  readonly table: Pick<LogTable, 'readHead' | 'readAfter' | 'readBitmaps' | 'readSegment'>;
  readonly parts: Pick<LogParts, 'read'>;
}

/**
 * What one process knows of a resource's log as of its last known segment: the state, which versions are logged, and which objects are named by barriers. It
 * begins with the head and goes on with the segments after it. Bitmaps and barriers are read when they are first needed.
 */
export class KnownLog {
  readonly resource: GroupResource;
  readonly #reads: LogReads;
  readonly #logged: LoggedVersions;
  readonly #touched = new Map<number, number>();
  readonly #floors = new Map<string, number>();
  readonly #lastingFloors = new Map<string, number>();
  readonly #readBarriers = new Map<number, Barrier>();
  #unreadBarriers: Set<number>;
  #state: LogState;
  /** The last segment that the loaded bitmaps include. */
  #through = 0;

  private constructor(resource: GroupResource, reads: LogReads, head: LogState) {
    this.resource = resource;
    this.#reads = reads;
    this.#state = head;
    this.#logged = new LoggedVersions(head.position, head.settled);
    this.#unreadBarriers = new Set(head.barriers);
  }

  /** Knows the log as of its head, which may be many segments old. Costs one read unit. */
  static async atHead(resource: GroupResource, reads: LogReads): Promise<KnownLog> {
    return new KnownLog(resource, reads, await reads.table.readHead(resource));
  }

  get state(): LogState {
    return this.#state;
  }

  /** Takes in the next segment. */
  advance(segment: LogSegment): void {
    const from = this.#state.position;
    this.#state = withSegment(skippedTo(this.#state, segment), segment);
    this.#logged.add(segment.versions);
    this.#logged.add([segment.position]);
    this.#logged.settle(this.#state.settled);
    for (const version of segment.versions) this.#touched.set(chunkOf(version), segment.segment);
    // Chunks that the position passes may have holes now.
    const last = chunkOf(segment.position);
    for (let chunk = Math.max(chunkOf(from), last - CHUNKS_PER_SEGMENT); chunk <= last; chunk += 1) {
      this.#touched.set(chunk, segment.segment);
    }
    if (namesObjects(segment)) this.#unreadBarriers.add(segment.segment);
  }

  /**
   * Makes sure that `isLogged` can be asked for these versions. Returns the last segment that the answers may include, which may be one that is not known
   * yet. Costs nothing unless a version is older than the head with which this began, and then one query, once.
   */
  async load(versions: readonly number[]): Promise<number> {
    if (versions.some((version) => this.#logged.mustLoad(version))) await this.#loadBitmaps();
    return this.#through;
  }

  /** True if the log holds the version, or will never hold it because no stream has a record of it any more. */
  isLogged(version: number): boolean {
    return this.#logged.isLogged(version);
  }

  /** Makes sure that `floorOf` can be asked. Costs a read unit or more for each barrier that was not read yet. */
  async loadBarriers(): Promise<void> {
    for (const segment of this.#unreadBarriers) {
      const barrier = await this.#readBarrier(segment);
      for (const { namespace, name, version } of barrier.named) {
        const key = floorKey(namespace, name);
        this.#floors.set(key, Math.max(version, this.#floors.get(key) ?? 0));
        if (barrier.lasting) this.#lastingFloors.set(key, Math.max(version, this.#lastingFloors.get(key) ?? 0));
      }
      this.#readBarriers.set(segment, barrier);
      this.#unreadBarriers.delete(segment);
    }
  }

  /** The highest version of an object that a barrier names; 0 if none does. Lower versions of the object are not logged any more. */
  floorOf(namespace: string, name: string): number {
    return this.#floors.get(floorKey(namespace, name)) ?? 0;
  }

  /** The same of the barriers that are kept although the named versions are logged. */
  lastingFloorOf(namespace: string, name: string): number {
    return this.#lastingFloors.get(floorKey(namespace, name)) ?? 0;
  }

  /** How many segments name objects whose older changes may be on their way although the named versions are logged. */
  get lastingBarriers(): number {
    return [...this.#readBarriers.values()].filter(({ lasting }) => lasting).length;
  }

  /** The bitmaps that segments after the given one have changed, as of now. */
  async bitmapsChangedAfter(segment: number): Promise<ReadonlyMap<number, Uint8Array>> {
    const changed = [...this.#touched].filter(([, touchedBy]) => touchedBy > segment);
    if (!this.#logged.isLoaded) await this.#loadBitmaps();
    return new Map(changed.map(([chunk]) => [chunk, this.#logged.bitsOf(chunk)]));
  }

  /** The state to store in the head: without the barriers of which everything is logged, and without those that are so old that no stream has a record for them. */
  async stateToStore(): Promise<LogState> {
    if (this.#state.barriers.length === 0) return this.#state;
    await this.loadBarriers();
    const named = this.#state.barriers.flatMap((segment) => this.#readBarriers.get(segment)?.named ?? []);
    await this.load(named.map(({ version }) => version));
    this.#state = { ...this.#state, barriers: this.#state.barriers.filter((segment) => this.#isNeeded(segment)) };
    return this.#state;
  }

  #isNeeded(segment: number): boolean {
    const { named = [], lasting = false, atMs = 0 } = this.#readBarriers.get(segment) ?? {};
    if (atMs + MEMORY_MS < this.#newestAgeMs()) return false;
    return (lasting && named.length > 0) || named.some(({ version }) => !this.isLogged(version));
  }

  /** Forgets which bitmaps changed up to that segment, since the head includes them. */
  forgetTouched(segment: number): void {
    for (const [chunk, touchedBy] of this.#touched) if (touchedBy <= segment) this.#touched.delete(chunk);
  }

  async #loadBitmaps(): Promise<void> {
    const stored = await this.#reads.table.readBitmaps(this.resource, chunkOf(this.#state.settled));
    this.#logged.load(new Map([...stored].map(([chunk, { bits }]) => [chunk, bits])));
    this.#through = Math.max(0, ...[...stored.values()].map(({ through }) => through));
  }

  /** Returns nothing for a barrier that is gone: what it names was settled long ago, or never will be. */
  async #readBarrier(number: number): Promise<Barrier> {
    const segment = await this.#reads.table.readSegment(this.resource, number);
    if (!segment || segment.atMs + MEMORY_MS < this.#newestAgeMs()) return { named: [], lasting: false, atMs: 0 };
    const [part] = segment.parts;
    const bytes = part ? await this.#reads.parts.read(this.resource, part) : 'gone';
    const named = bytes === 'gone' ? [] : decodeReads(bytes);
    return { named, lasting: segment.kind === 'epoch' || segment.lasting === true, atMs: segment.atMs };
  }

  #newestAgeMs(): number {
    return this.#state.ages.at(-1)?.[1] ?? 0;
  }
}

function floorKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
