import type { ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { conflict } from '../../objects/apiErrors.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, sleep } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import { decideCharge } from './decideCharge.ts';

export type ResourceQuota = Stored<ApiResourceQuota>;

export interface QuotaChargesParts {
  readonly objectStore: Pick<ObjectStore, 'get' | 'replace'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The number of attempts to write a batch of charges. Each conflict means that another process has written meanwhile; after the last, the clients must try again. */
const CHARGE_ATTEMPTS = 40;
const FIRST_DELAY_MS = 10;
const LONGEST_DELAY_MS = 250;

type Refusal = ApiError | undefined;

/** An object to be created or changed, whose usage is to be charged. */
export interface ChargedObject {
  readonly resource: GroupResource;
  readonly draft: KubernetesObject;
  /** The stored object that changes; absent for a create. */
  readonly old?: KubernetesObject | undefined;
}

interface Charge extends ChargedObject {
  readonly resolve: (refusal: Refusal) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Adds the usage of new and changed objects to the `status.used` of quotas, by conditional writes. The charges of one process that come while a write is under way share the next one. Otherwise each of a thousand
 * creates would compete with all others, and their writes would grow with the square of their number. Processes that compete wait for random times.
 */
export class QuotaCharges {
  readonly #parts: QuotaChargesParts;
  /** By the quota's UID: the charges that wait for the write that is under way. */
  readonly #waiting = new Map<string, Charge[]>();

  constructor(parts: QuotaChargesParts) {
    this.#parts = parts;
  }

  /** Charges one object to one quota, of which `quota` is a recent state. Resolves to why it is refused, if it is. */
  charge(quota: ResourceQuota, object: ChargedObject): Promise<Refusal> {
    return new Promise((resolve, reject) => {
      const charge = { ...object, resolve, reject };
      const waiting = this.#waiting.get(quota.metadata.uid);
      if (waiting) waiting.push(charge);
      else void this.#run(quota, charge);
    });
  }

  async #run(quota: ResourceQuota, first: Charge): Promise<void> {
    const { uid } = quota.metadata;
    let state: ResourceQuota | undefined = quota;
    for (let batch = [first]; batch.length > 0; batch = this.#waiting.get(uid) ?? []) {
      this.#waiting.set(uid, []);
      state = await this.#write(state ?? quota, batch);
    }
    this.#waiting.delete(uid);
  }

  /** Resolves to the quota's state afterwards, if it is known. */
  async #write(quota: ResourceQuota, batch: readonly Charge[]): Promise<ResourceQuota | undefined> {
    try {
      const { refusals, state } = await this.#attempt(quota, batch);
      batch.forEach(({ resolve }, at) => resolve(refusals[at]));
      return state;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return undefined;
    }
  }

  async #attempt(recent: ResourceQuota, batch: readonly Charge[]) {
    const { objectStore, clock, ids } = this.#parts;
    const { name, namespace = '', uid } = recent.metadata;
    let quota = recent;
    let isCurrent = false;
    for (let attempt = 0; attempt < CHARGE_ATTEMPTS; attempt += 1) {
      const decided = decideCharges(quota, batch, clock.now());
      // A refusal must rest on the quota as it is, and not on a state from before the request.
      if (!isCurrent && decided.refusals.some((refusal) => refusal !== undefined)) {
        const found = await objectStore.get<ResourceQuota>({ resource: 'resourcequotas', namespace, name });
        if (found?.metadata.uid !== uid) return { refusals: [], state: undefined };
        quota = found;
        isCurrent = true;
        continue;
      }
      if (!decided.charged) return { refusals: decided.refusals, state: quota };
      const outcome = await objectStore.replace<ResourceQuota>('resourcequotas', decided.charged);
      if (outcome.status === 'stored') return { refusals: decided.refusals, state: outcome.object };
      if (outcome.status === 'absent') return { refusals: [], state: undefined };
      if (outcome.status === 'tooLarge') throw new Error(`the quota ${name} has grown too large`);
      if (outcome.current.metadata.uid !== uid) return { refusals: [], state: undefined };
      quota = outcome.current;
      isCurrent = true;
      // The first conflict is tried again at once.
      if (attempt > 0) await sleep(clock, ids.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt));
    }
    return { refusals: batch.map(() => conflict('resourcequotas', name)), state: undefined };
  }
}

/** Decides the charges of a batch one after the other. `charged`: the quota with all that are not refused, if that changes it. Pure. */
function decideCharges(quota: ResourceQuota, batch: readonly Charge[], nowMs: number) {
  let charged: ResourceQuota | undefined;
  const refusals = batch.map(({ resource, draft, old }): Refusal => {
    const decision = decideCharge(charged ?? quota, resource, draft, nowMs, old);
    charged = decision.charged ?? charged;
    return decision.error;
  });
  return { refusals, charged };
}
