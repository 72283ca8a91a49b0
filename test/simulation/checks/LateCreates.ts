import type { AuditedWrite } from '../AuditedStore.ts';
import type { FaultRates } from '../FaultPlan.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/**
 * A create that was admitted in time does not land after its namespace is gone: `LATE_CREATES_MS`. That rests on two assumptions which some runs break on purpose, and in those this says nothing: clocks differ by 2 s at most, and a process
 * does not stand still between its last look at the time and its request.
 */
export class LateCreates implements Check {
  readonly #world: Pick<World, 'get'>;
  readonly #isCertain: boolean;

  constructor(world: Pick<World, 'get'>, { freeze, wrongClock }: Pick<FaultRates, 'freeze' | 'wrongClock'>) {
    this.#world = world;
    this.#isCertain = freeze === 0 && wrongClock === 0;
  }

  onWrite({ writer, change }: AuditedWrite): string | undefined {
    if (change.type !== 'ADDED' || !this.#isCertain) return undefined;
    const { namespace } = change.after.metadata;
    if (namespace === undefined || this.#world.get('namespaces', '', namespace)) return undefined;
    return `${writer} creates ${nameOf(change.after)} after its namespace is gone`;
  }
}
