import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { DataKeys, ReferenceReader } from '../../ports/PodRuntime.ts';
import type { RegistryReader } from '../GuardedWriters.ts';

type Resource = 'configmaps' | 'secrets';

interface Read {
  readonly keys: DataKeys;
  readonly at: Moment;
}

/** The objects that a process remembers; then it forgets all of them. */
const MOST_READ = 2_000;

/**
 * The keys of the ConfigMaps and Secrets that pods refer to, as this process read them a few seconds ago at most: all pods of a Deployment refer to the same ones. What was absent is not remembered, and a caller that misses
 * something reads it again by `now`.
 */
export class RecentReferences {
  readonly #registry: RegistryReader;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  readonly #known = new Map<string, Read>();

  constructor(registry: RegistryReader, clock: Clock, rememberMs: number) {
    this.#registry = registry;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
  }

  /** Reads what was not read in the last few seconds. */
  recent(namespace: string): ReferenceReader {
    return {
      keysOf: async (resource, name) => {
        const known = this.#known.get(`${resource}/${namespace}/${name}`);
        const isKnown = known && isRecent(this.#clock, known.at, this.#rememberMs);
        return isKnown ? known.keys : await this.#read(resource, namespace, name);
      },
      claim: (name) => this.#claim(namespace, name),
    };
  }

  /** Reads everything as it is now. */
  now(namespace: string): ReferenceReader {
    return {
      keysOf: (resource, name) => this.#read(resource, namespace, name),
      claim: (name) => this.#claim(namespace, name),
    };
  }

  async #read(resource: Resource, namespace: string, name: string): Promise<DataKeys | undefined> {
    const at = momentOf(this.#clock);
    const object = await this.#registry.get<Stored<ConfigMap>>({ resource, namespace, name });
    if (!object) return undefined;
    const { data = {}, binaryData = {} } = object;
    const keys = { text: new Set(Object.keys(data)), binary: new Set(Object.keys(binaryData)) };
    if (this.#known.size >= MOST_READ) this.#known.clear();
    if (this.#rememberMs > 0) this.#known.set(`${resource}/${namespace}/${name}`, { keys, at });
    return keys;
  }

  #claim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return this.#registry.get<PersistentVolumeClaim>({ resource: 'persistentvolumeclaims', namespace, name });
  }
}
