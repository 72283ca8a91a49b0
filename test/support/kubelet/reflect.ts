import { setTimeout as wait } from 'node:timers/promises';
import type { KubeletClient, WatchedEvent } from './KubeletClient.ts';

export interface Reflected {
  readonly client: KubeletClient;
  /** The path of the collection: `/api/v1/pods`. */
  readonly path: string;
  readonly fieldSelector?: string;
  readonly signal: AbortSignal;
  readonly on?: (event: WatchedEvent) => void;
  /** Called with each failed watch, which is tried again. */
  readonly onFailure: (error: unknown) => void;
}

const RETRY_MS = 200;
const INITIAL = { resourceVersionMatch: 'NotOlderThan', sendInitialEvents: 'true' };

/**
 * Follows a collection as client-go's reflector does with the feature WatchList: one watch brings the objects that exist, a bookmark, and then the changes. A watch that ends is resumed at its last
 * version; one that is refused begins anew, and what is missing then counts as deleted. Resolves with the first bookmark, or when the signal is aborted; goes on until then.
 */
export function reflect(reflected: Reflected): Promise<void> {
  return new Promise((resolve) => void follow(reflected, resolve));
}

async function follow(reflected: Reflected, synced: () => void): Promise<void> {
  const { client, signal, onFailure } = reflected;
  const known = new KnownObjects(reflected, synced);
  while (!signal.aborted) {
    try {
      await client.watch(`${reflected.path}?${known.query()}`, signal, (event) => known.take(event));
    } catch (error) {
      onFailure(error);
      known.forgetVersion();
    }
    await wait(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  synced();
}

/** What a reflector has seen, and how far it has come. */
class KnownObjects {
  readonly #reflected: Reflected;
  readonly #synced: () => void;
  readonly #objects = new Map<string, WatchedEvent['object']>();
  #missing = new Set<string>();
  #version: string | undefined;

  constructor(reflected: Reflected, synced: () => void) {
    this.#reflected = reflected;
    this.#synced = synced;
  }

  query(): string {
    const { fieldSelector } = this.#reflected;
    const version = this.#version;
    if (version === undefined) this.#missing = new Set(this.#objects.keys());
    return new URLSearchParams({
      allowWatchBookmarks: 'true',
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(version === undefined ? INITIAL : { resourceVersion: version }),
      timeoutSeconds: '477',
      watch: 'true',
    }).toString();
  }

  forgetVersion(): void {
    this.#version = undefined;
  }

  take(event: WatchedEvent): void {
    const { metadata } = event.object;
    if (event.type === 'ERROR') throw new Error(`the watch ${this.#reflected.path} ends: ${event.object.message}`);
    if (event.type !== 'BOOKMARK') return this.#takeObject(event);
    this.#version = metadata.resourceVersion;
    if (metadata.annotations?.['k8s.io/initial-events-end'] === 'true') this.#endInitialEvents();
  }

  #takeObject(event: WatchedEvent): void {
    const { uid, resourceVersion } = event.object.metadata;
    this.#missing.delete(uid);
    if (event.type === 'DELETED') this.#objects.delete(uid);
    else this.#objects.set(uid, event.object);
    // Initial events come in no order of versions.
    if (this.#version !== undefined) this.#version = resourceVersion;
    this.#reflected.on?.(event);
  }

  #endInitialEvents(): void {
    for (const uid of this.#missing) this.#takeObject({ type: 'DELETED', object: this.#objects.get(uid) });
    this.#synced();
  }
}
