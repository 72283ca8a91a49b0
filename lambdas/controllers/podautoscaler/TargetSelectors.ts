import type { HorizontalPodAutoscaler } from '../../objects/kinds.ts';
import type { LabelRequirement } from '../../objects/selectors/labelRequirement.ts';
import { parseLabelSelector } from '../../objects/selectors/parseLabelSelector.ts';
import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import { observeScaleTarget } from './ScaleTarget.ts';

type Requirements = readonly LabelRequirement[] | undefined;

interface Remembered {
  readonly requirements: Promise<Requirements>;
  readonly at: Moment;
}

/** The selectors that a process remembers; then it forgets all of them. */
const MOST = 5_000;
/** Selectors of workloads hardly ever change. What is found out later is found out by the next sync. */
const REMEMBER_MS = 60_000;

/** The selectors of what the other autoscalers of a namespace scale. Kubernetes remembers them in its process, too; without that, the syncs of fifty autoscalers would read 2,500 objects every 15 seconds. */
export class TargetSelectors {
  readonly #registry: RegistryReader;
  readonly #catalog: ResourceCatalog;
  readonly #clock: Clock;
  readonly #known = new Map<string, Remembered>();

  constructor(parts: { readonly registry: RegistryReader; readonly catalog: ResourceCatalog; readonly clock: Clock }) {
    this.#registry = parts.registry;
    this.#catalog = parts.catalog;
    this.#clock = parts.clock;
  }

  /** Returns the selector of what the autoscaler scales, as it was a minute ago at most; `undefined` if it selects no pods. */
  requirementsOf(autoscaler: HorizontalPodAutoscaler): Promise<Requirements> {
    const key = JSON.stringify([autoscaler.metadata.namespace, autoscaler.spec?.scaleTargetRef]);
    const known = this.#known.get(key);
    if (known && isRecent(this.#clock, known.at, REMEMBER_MS)) return known.requirements;
    if (this.#known.size >= MOST) this.#known.clear();
    const read = { requirements: this.#read(autoscaler), at: momentOf(this.#clock) };
    // A read that fails or finds nothing is repeated by the next caller.
    const forget = () => this.#known.get(key) === read && this.#known.delete(key);
    read.requirements.then((found) => found ?? forget(), forget);
    this.#known.set(key, read);
    return read.requirements;
  }

  async #read(autoscaler: HorizontalPodAutoscaler): Promise<Requirements> {
    const target = await observeScaleTarget(this.#registry, this.#catalog, autoscaler);
    if (typeof target === 'string' || target.scale.selector === '') return undefined;
    try {
      return parseLabelSelector(target.scale.selector);
    } catch {
      return undefined;
    }
  }
}
