import type { ControllerName } from '../../../lambdas/controllers/controllerRooms.ts';
import type { PlanBench } from './PlanBench.ts';

/** Something that a controller has to do. */
export interface Story {
  /** What is there before, and at rest. */
  readonly begin?: (bench: PlanBench) => Promise<unknown>;
  /** What a user or a machine then does. */
  readonly change: (bench: PlanBench) => Promise<unknown>;
  /** By when the end is reached, whatever the plan; milliseconds. Absent: five minutes, which is longer than two locks of processes that died. */
  readonly withinMs?: number;
  /**
   * What the controller has made by an old read is put right only by the next change, or the next resync: it takes no notice of its own writes, and relies on reads that are strong. Kubernetes' controller refuses what it knows to be
   * old, and tries again.
   */
  readonly trustsReads?: true;
  /** The controllers that do not run. */
  readonly without?: readonly ControllerName[];
}

export type Stories = Readonly<Record<string, Story>>;
