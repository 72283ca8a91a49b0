import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import {
  CLAIM_LASTS_MS,
  claim,
  ownerOf,
  readClaims,
  releaseClaims,
  SERVICES,
  type StoredClaim,
} from './claimHoldings.ts';
import { chooseAgain, decideAllocation, takenError } from './decideAllocation.ts';
import { exchangeHolding, type Holding, holdingsOf } from './Holding.ts';
import { DEFAULT_SERVICE_NETWORK } from './ServiceNetwork.ts';

/** What was found and decided about the addresses and node ports of a Service, before it is written. */
export interface ServiceAllocation {
  readonly chosen: ReadonlySet<Holding>;
  readonly held: ReadonlySet<Holding>;
}

/** Gives a new or changed Service its addresses and node ports, and claims nothing yet. Changes the draft. Returns the error if that is not possible. */
export async function allocateService(
  { objectStore, serviceNetwork = DEFAULT_SERVICE_NETWORK }: RegistryContext,
  draft: KubernetesObject,
  old: KubernetesObject | undefined,
): Promise<{ readonly error: ApiError } | ({ readonly error?: undefined } & ServiceAllocation)> {
  const { items } = await objectStore.list(SERVICES);
  const { namespace, name } = draft.metadata;
  const others = items.filter(({ metadata }) => !old || metadata.namespace !== namespace || metadata.name !== name);
  const held = new Set(others.flatMap((service) => [...holdingsOf(service)]));
  const decision = decideAllocation(draft, old, serviceNetwork, held);
  return decision.status === 'refused' ? { error: decision.error } : { chosen: decision.chosen, held };
}

interface ClaimedWrite<T> {
  readonly draft: KubernetesObject;
  readonly old?: KubernetesObject | undefined;
  readonly allocation: ServiceAllocation;
  /** Writes the draft. */
  readonly write: () => Promise<T>;
  readonly isStored: (outcome: T) => boolean;
}

/**
 * Writes a Service under claims of all that it holds and did not hold before, and gives back what it no longer holds, or everything that it did not get. Two Services never hold the same, however many are written at a time. A draft
 * whose chosen address or port was taken in the meantime gets another one.
 */
export async function writeClaimed<T>(
  context: RegistryContext,
  { draft, old, allocation, write, isStored }: ClaimedWrite<T>,
): Promise<T | { readonly status: 'refused'; readonly error: ApiError }> {
  const begunMs = context.clock.steadyMs();
  const before = holdingsOf(old);
  const claims = await claimAll(context, draft, before, allocation);
  if (!Array.isArray(claims)) return claims;
  const dropped = [...before].filter((holding) => !holdingsOf(draft).has(holding));
  const freed = await readClaims(context, dropped, ownerOf(draft));
  if (context.clock.steadyMs() - begunMs > CLAIM_LASTS_MS) {
    // Somebody may count the claims as abandoned before the write arrives.
    await releaseClaims(context, claims);
    return writeClaimed(context, { draft, old, allocation, write, isStored });
  }
  // A write that throws may still arrive, so its claims stay.
  const outcome = await write();
  await releaseClaims(context, isStored(outcome) ? freed : claims);
  return outcome;
}

async function claimAll(
  context: RegistryContext,
  draft: KubernetesObject,
  before: ReadonlySet<Holding>,
  { chosen, held }: ServiceAllocation,
): Promise<StoredClaim[] | { readonly status: 'refused'; readonly error: ApiError }> {
  const { serviceNetwork = DEFAULT_SERVICE_NETWORK } = context;
  const claims: StoredClaim[] = [];
  const taken = new Set([...held, ...holdingsOf(draft)]);
  for (const wanted of [...holdingsOf(draft)].filter((holding) => !before.has(holding))) {
    let holding: Holding | undefined = wanted;
    for (;;) {
      const object: KubernetesObject | undefined = await claim(context, holding, ownerOf(draft));
      if (object) {
        claims.push({ holding, object });
        break;
      }
      taken.add(holding);
      const next: Holding | undefined = chosen.has(wanted)
        ? chooseAgain(draft, holding, serviceNetwork, taken)
        : undefined;
      if (!next) {
        await releaseClaims(context, claims);
        return { status: 'refused', error: takenError(draft, holding) };
      }
      // Neither is it free for what the Service wants besides.
      taken.add(next);
      exchangeHolding(draft['spec'] as ServiceSpec, holding, next);
      holding = next;
    }
  }
  return claims;
}

/** Removes an object, and gives back what it held if it is a Service. */
export async function removeAndRelease<T extends { readonly status: string }>(
  objectStore: ObjectStore,
  key: ObjectKey,
  remove: () => Promise<T>,
): Promise<T> {
  if (key.resource !== SERVICES) return remove();
  const service = await objectStore.get(key);
  const claims = await readClaims({ objectStore }, [...holdingsOf(service)], key);
  const outcome = await remove();
  if (outcome.status === 'removed') await releaseClaims({ objectStore }, claims);
  return outcome;
}
