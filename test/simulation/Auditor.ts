import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { AuditedWrite } from './AuditedStore.ts';
import type { Check } from './checks/Check.ts';
import { Decisions } from './checks/Decisions.ts';
import { FirstSizes } from './checks/FirstSizes.ts';
import { LeavingPods } from './checks/LeavingPods.ts';
import { CronRuns } from './checks/CronRuns.ts';
import { AutoscalingBounds } from './checks/AutoscalingBounds.ts';
import { EvictionBounds } from './checks/EvictionBounds.ts';
import { DaemonPods } from './checks/DaemonPods.ts';
import { JobCounts } from './checks/JobCounts.ts';
import { NodeHistory } from './checks/NodeHistory.ts';
import { NodeRoom } from './checks/NodeRoom.ts';
import { Ownership } from './checks/Ownership.ts';
import { Plans } from './checks/Plans.ts';
import { PodHistory } from './checks/PodHistory.ts';
import { NeededObjects } from './checks/NeededObjects.ts';
import { PodReadiness } from './checks/PodReadiness.ts';
import { Preemptions } from './checks/Preemptions.ts';
import { Preservation } from './checks/Preservation.ts';
import { QuotaBounds } from './checks/QuotaBounds.ts';
import { ReplicaBounds } from './checks/ReplicaBounds.ts';
import { RevisionNumbers } from './checks/RevisionNumbers.ts';
import { Revisions } from './checks/Revisions.ts';
import { Rollbacks } from './checks/Rollbacks.ts';
import { RolloutBounds } from './checks/RolloutBounds.ts';
import { Specs } from './checks/Specs.ts';
import { SpreadBounds } from './checks/SpreadBounds.ts';
import { StatefulPods } from './checks/StatefulPods.ts';
import { SurplusReported } from './checks/SurplusReported.ts';
import type { SyncTrail } from './SyncTrail.ts';
import type { World } from './World.ts';

/** Everything that must hold at every write, judged by what the writing sync had read. */
export class Auditor {
  readonly #pods = new PodHistory();
  readonly #specs = new Specs();
  readonly #plans = new Plans();
  readonly #decisions: Decisions;
  readonly #replicas: ReplicaBounds;
  readonly #leaving = new LeavingPods(this.#pods);
  readonly #autoscaling = new AutoscalingBounds();
  readonly #nodes: NodeHistory;
  readonly #spread: SpreadBounds;
  readonly #checks: readonly Check[];

  /** `nodesRememberMs`: how long a process goes by the nodes that it has listed. */
  constructor(world: World, nodesRememberMs = 0) {
    this.#decisions = new Decisions(world, this.#specs);
    this.#nodes = new NodeHistory(world, nodesRememberMs);
    this.#spread = new SpreadBounds(world, this.#nodes);
    this.#replicas = new ReplicaBounds(world, this.#pods, this.#specs, this.#plans);
    this.#checks = [
      new Ownership(world),
      new Preservation(),
      new PodReadiness(),
      new NeededObjects(world),
      new Revisions(world),
      new RevisionNumbers(world),
      new Rollbacks(world),
      new QuotaBounds(world),
      this.#replicas,
      new SurplusReported(world, this.#pods),
      this.#leaving,
      new RolloutBounds(world, this.#pods, this.#decisions, this.#plans),
      new FirstSizes(this.#specs),
      new JobCounts(world, this.#plans),
      new CronRuns(world),
      new StatefulPods(world),
      new EvictionBounds(world),
      new DaemonPods(world, this.#plans),
      this.#autoscaling,
      this.#nodes,
      new NodeRoom(world, this.#nodes),
      this.#spread,
      new Preemptions(),
    ];
  }

  /** The first rule that this write broke, in a sentence. Every check sees every write. */
  onWrite(write: AuditedWrite, nowMs: number): string | undefined {
    for (const memory of [this.#pods, this.#specs, this.#decisions]) memory.onWrite(write, nowMs);
    return this.#checks.map((check) => check.onWrite(write, nowMs)).find((violation) => violation !== undefined);
  }

  onIntent(trail: SyncTrail | undefined, intent: Intent): void {
    this.#plans.onIntent(trail, intent);
    this.#leaving.onIntent(trail, intent);
  }

  /** The rule that the sync broke as a whole, in a sentence. `hasSettled`: the sync left nothing unfinished. One that did may have been refused its status, because its time was over: then the status does not say what it saw. */
  onSyncEnd(trail: SyncTrail, hasSettled: boolean, nowMs: number): string | undefined {
    if (!hasSettled) return undefined;
    this.#decisions.onSyncEnd(trail, nowMs);
    this.#replicas.onSyncEnd(trail);
    this.#autoscaling.onSyncEnd(trail, nowMs);
    return this.#spread.onSyncEnd(trail);
  }
}
