import type { ControllerName } from '../../lambdas/ports/WorkKey.ts';
import type { NodeSpec } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { PodBehaviourRule } from './PodBehaviour.ts';

/** What can be chosen about a cluster in a test. Everything has a default: `startCluster()` is a cluster in memory, on the machine's clock, with three nodes. */
export interface ClusterOptions {
  /** `real`, the default, is the machine's clock. `virtual` stands still until `advance` moves it. */
  readonly clock?: 'real' | 'virtual';
  /** Where a virtual clock begins: a date, or a text that is one; absent: 2026-01-01T00:00:00Z, or where the last cluster in this data directory stopped. */
  readonly startTime?: string | Date;
  /** Where objects are kept, so that a later cluster finds them again; absent: in memory. */
  readonly dataDir?: string;
  /** From which names' suffixes, UIDs and random numbers follow: the same test then sees the same names. */
  readonly seed?: number;
  /** How many nodes there are, or which; three if absent. */
  readonly nodes?: number | readonly NodeSpec[];
  /** How simulated pods behave. Of several rules that match a pod, the later ones win; the pod's own annotations win over all. */
  readonly pods?: readonly PodBehaviourRule[];
  /** Controllers that shall not run, by name; `false` for all: a bare API server. */
  readonly controllers?: boolean | Readonly<Partial<Record<ControllerName, boolean>>>;
  /** The port of the HTTP API on 127.0.0.1; absent or 0: a free one. */
  readonly port?: number;
  /**
   * While clients watch, `settle` and `advance` also wait until none has sent a request for so many milliseconds of real time, so that a controller under test
   * has reacted when they return; 20 if absent. 0: clients are not waited for.
   */
  readonly quietMs?: number;
  /** Told of every sync and of what went wrong, one flat object each. */
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}
