import type { ConfigMap as ApiConfigMap } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';
import { type Clock, formatMicroTime, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { FILTER_PLUGINS, type FilterPluginName } from './framework/Plugin.ts';

export type NoticeMap = Stored<ApiConfigMap>;

/** Whether plain pods are left to the scheduler as well, and since when; milliseconds since the epoch. */
export interface PlainPods {
  /** `held`: they are, because a pod with a required anti-affinity exists. `released`: no more, but not every process knows it yet. */
  readonly state: 'held' | 'released';
  readonly sinceMs: number;
}

/** What the scheduler tells other processes by the annotations of a ConfigMap of its own; see ADR 28. */
export interface SchedulerNotice {
  /** The plugins that pods wait for. Changes that concern none of them need not wake the scheduler. Absent: no pod waits. */
  readonly waitsFor?: ReadonlySet<FilterPluginName>;
  /** Absent: plain pods are bound by the syncs that start them. */
  readonly plainPods?: PlainPods;
}

/** Where there are pods, config maps are served as well. */
const KEY = { resource: 'configmaps', namespace: 'kube-system', name: 'driftless-scheduler' } as const;
const WAITS_FOR = 'scheduler.driftless.dev/pods-wait-for';
const PLAIN_PODS = 'scheduler.driftless.dev/plain-pods';

/** Reads the ConfigMap as it is now. Without one, nothing waits. */
export async function readNoticeMap(registry: RegistryReader): Promise<NoticeMap | undefined> {
  return await registry.get<NoticeMap>(KEY);
}

/** Reads the annotations; what cannot be read counts as absent. Pure. */
export function parseNotice(map: NoticeMap | undefined): SchedulerNotice {
  const { [WAITS_FOR]: waitsFor, [PLAIN_PODS]: plain } = map?.metadata.annotations ?? {};
  const names = waitsFor?.split(',') ?? [];
  const plainPods = plain === undefined ? undefined : parsePlainPods(plain);
  return {
    ...(waitsFor !== undefined && { waitsFor: new Set(FILTER_PLUGINS.filter((name) => names.includes(name))) }),
    ...(plainPods && { plainPods }),
  };
}

/** Parses `held 2026-01-01T00:00:00.000000Z`. */
function parsePlainPods(text: string): PlainPods | undefined {
  const [state, since = ''] = text.split(' ');
  const sinceMs = Date.parse(since);
  return (state === 'held' || state === 'released') && !Number.isNaN(sinceMs) ? { state, sinceMs } : undefined;
}

/** Returns the ConfigMap that says this: `map` with other annotations, or a new one. Pure. */
export function encodeNotice(map: NoticeMap | undefined, { waitsFor, plainPods }: SchedulerNotice): NewObject {
  const { [WAITS_FOR]: _waits, [PLAIN_PODS]: _plain, ...others } = map?.metadata.annotations ?? {};
  const annotations = {
    ...others,
    ...(waitsFor && { [WAITS_FOR]: [...waitsFor].sort().join(',') }),
    ...(plainPods && { [PLAIN_PODS]: `${plainPods.state} ${formatMicroTime(plainPods.sinceMs)}` }),
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...map,
    metadata: { ...map?.metadata, name: KEY.name, namespace: KEY.namespace, annotations },
  };
}

/** Whether both say the same. Pure. */
export function sameNotice(a: SchedulerNotice, b: SchedulerNotice): boolean {
  const annotationsOf = (notice: SchedulerNotice) => encodeNotice(undefined, notice).metadata.annotations;
  return jsonEqual(annotationsOf(a), annotationsOf(b));
}

/** What a caller that goes by the notice relies on: it was read at most so long ago. Milliseconds. */
export const NOTICE_AGE_MS = 3_000;

/** So often a read that takes too long is repeated. */
const MOST_READS = 3;

/** The notice as this process read it a few seconds ago at most. */
export class RecentNotice {
  readonly #registry: RegistryReader;
  readonly #clock: Clock;
  readonly #rememberMs: number;
  #known: { readonly notice: Promise<SchedulerNotice>; readonly at: Moment } | undefined;

  constructor(registry: RegistryReader, clock: Clock, rememberMs: number) {
    this.#registry = registry;
    this.#clock = clock;
    this.#rememberMs = rememberMs;
  }

  /** Returns what was read in the last few seconds, or reads anew. */
  recent(): Promise<SchedulerNotice> {
    const known = this.#known;
    return known && isRecent(this.#clock, known.at, this.#rememberMs) ? known.notice : this.#read();
  }

  /** Whether what was returned last is at most NOTICE_AGE_MS old now. */
  get isInTime(): boolean {
    return this.#known !== undefined && isRecent(this.#clock, this.#known.at, NOTICE_AGE_MS);
  }

  /** Returns a notice that is at most NOTICE_AGE_MS old when it is returned. Throws if the store is too slow for that. */
  async inTime(): Promise<SchedulerNotice> {
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const notice = await this.recent();
      if (this.isInTime) return notice;
    }
    throw new Error("the scheduler's notice could not be read in time");
  }

  #read(): Promise<SchedulerNotice> {
    const read = { at: momentOf(this.#clock), notice: readNoticeMap(this.#registry).then(parseNotice) };
    this.#known = read;
    read.notice.catch(() => {
      if (this.#known === read) this.#known = undefined;
    });
    return read.notice;
  }
}
