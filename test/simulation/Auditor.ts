import type { AuditedWrite } from './AuditedStore.ts';
import type { Check } from './checks/Check.ts';
import { Ownership } from './checks/Ownership.ts';
import { Preservation } from './checks/Preservation.ts';
import { ReplicaBounds } from './checks/ReplicaBounds.ts';
import { RolloutBounds } from './checks/RolloutBounds.ts';
import type { World } from './World.ts';

/** Everything that must hold at every write. */
export class Auditor {
  readonly #checks: readonly Check[];

  constructor(world: World) {
    this.#checks = [new Ownership(world), new Preservation(), new ReplicaBounds(world), new RolloutBounds(world)];
  }

  /** The first rule that this write broke, in a sentence. Every check sees every write. */
  onWrite(write: AuditedWrite, nowMs: number): string | undefined {
    return this.#checks.map((check) => check.onWrite(write, nowMs)).find((violation) => violation !== undefined);
  }
}
