import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';
import { type Clock, formatTime, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { GuardedRegistry, RegistryReader } from '../GuardedWriters.ts';

type NoticeMap = Stored<ConfigMap>;

/** A ConfigMap whose annotations name the namespaces in which pods wait for objects, each with a time until which that counts; see ADR 40. */
const KEY = { resource: 'configmaps', namespace: 'kube-system', name: 'driftless-waiting-pods' } as const;
const PREFIX = 'waiting.driftless.dev/';

/** How long an announcement counts. */
const COUNTS_MS = 15 * 60_000;
/** A pod that still waits announces it again when less than this is left. It is tried again every five minutes at least. */
const RENEWED_MS = 8 * 60_000;

/** A write that meets another one is repeated so often. Afterwards the pod is found by its own next attempt. */
const MOST_WRITES = 5;

/**
 * Announces that a pod of the namespace waits for an object that is missing. A change that begins after this resolves finds the pod. The announcement ends by itself, so that nobody has to find out which pod
 * was the last one.
 */
export async function announceWait(registry: GuardedRegistry, namespace: string, nowMs: number): Promise<void> {
  for (let writes = 0; writes < MOST_WRITES; writes += 1) {
    const map = await registry.get<NoticeMap>(KEY);
    if (untilMs(map, namespace) - nowMs >= RENEWED_MS) return;
    const announced = withWait(map, namespace, nowMs);
    const outcome = map
      ? await registry.update<NoticeMap>(KEY.resource, { ...map, ...announced } as NoticeMap, { from: map })
      : await registry.create<NoticeMap>(KEY.resource, announced);
    if (outcome.status === 'stored') return;
    // Without the namespace kube-system there is no place for it.
    if (outcome.error.reason !== 'Conflict' && outcome.error.reason !== 'AlreadyExists') return;
  }
}

/** Returns when the announcement for the namespace ends, in milliseconds since the epoch; 0 if nothing is announced. Pure. */
function untilMs(map: NoticeMap | undefined, namespace: string): number {
  return Date.parse(map?.metadata.annotations?.[PREFIX + namespace] ?? '') || 0;
}

/** Returns the map with the announcement, and without those that have ended. Pure. */
function withWait(map: NoticeMap | undefined, namespace: string, nowMs: number): NewObject {
  const kept = Object.entries(map?.metadata.annotations ?? {}).filter(
    ([name, until]) => !name.startsWith(PREFIX) || Date.parse(until) > nowMs,
  );
  const annotations = { ...Object.fromEntries(kept), [PREFIX + namespace]: formatTime(nowMs + COUNTS_MS) };
  const { name, namespace: own } = KEY;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...map?.metadata, name, namespace: own, annotations } };
}

/** The notice as this process read it a few seconds ago at most. */
export class RecentWaits {
  readonly #registry: RegistryReader;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  #known: { readonly map: Promise<NoticeMap | undefined>; readonly at: Moment } | undefined;

  constructor(registry: RegistryReader, clock: Clock, rememberMs: number) {
    this.#registry = registry;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
  }

  /** Whether a pod of the namespace may wait for an object. */
  async mayWait(namespace: string): Promise<boolean> {
    return untilMs(await this.#recent(), namespace) > this.#clock.now();
  }

  #recent(): Promise<NoticeMap | undefined> {
    const known = this.#known;
    if (known && isRecent(this.#clock, known.at, this.#rememberMs)) return known.map;
    const read = { at: momentOf(this.#clock), map: this.#registry.get<NoticeMap>(KEY) };
    this.#known = read;
    read.map.catch(() => {
      if (this.#known === read) this.#known = undefined;
    });
    return read.map;
  }
}
