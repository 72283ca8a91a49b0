import type { ResourceQuota } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/** A quota that is newer may not have been counted yet. */
const SETTLED_MS = 10_000;
/** A charge is given back when its create has not come about after a second, so a create that takes longer may exceed the quota. */
const PROMPT_MS = 900;

/** No pod is created beyond what its namespace's quota allows. */
export class QuotaBounds implements Check {
  readonly #world: World;
  /** When the spec of each quota was last written, by UID. */
  readonly #changedMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const { before, after } = change;
    if (change.resource === 'resourcequotas' && after && before?.metadata.generation !== after.metadata.generation)
      this.#changedMs.set(after.metadata.uid, nowMs);
    if (change.resource !== 'pods' || before || !after || !trail || nowMs - trail.beganMs > PROMPT_MS) return undefined;
    return this.#judge(after, nowMs);
  }

  #judge(created: KubernetesObject, nowMs: number): string | undefined {
    const { namespace } = created.metadata;
    const pods = this.#world.pods().filter((pod) => pod.metadata.namespace === namespace && !isPodTerminal(pod));
    const exceeded = this.#world
      .all<ResourceQuota & KubernetesObject>('ResourceQuota')
      .filter(({ metadata }) => metadata.namespace === namespace)
      .filter(({ metadata }) => nowMs - (this.#changedMs.get(metadata.uid) ?? nowMs) > SETTLED_MS)
      .find(({ spec }) => pods.length > Number(spec?.hard?.['pods'] ?? Number.POSITIVE_INFINITY));
    return exceeded && `${nameOf(created)} is pod ${pods.length} in spite of ${nameOf(exceeded)}`;
  }
}
