import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { NodeSpec } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { KubernetesRelease } from '../../lambdas/objects/KubernetesRelease.ts';
import type { PodBehaviourRule } from './PodBehaviour.ts';

/** The options of a cluster in a test. All have defaults: `startCluster()` starts a cluster in memory, on the machine's clock, with three nodes. */
export interface ClusterOptions {
  /** The release of Kubernetes whose API is served: its kinds, fields and texts of events. `/version` names it. Default: the newest. */
  readonly version?: KubernetesRelease;
  /** `real`, the default, is the machine's clock. A `virtual` clock stands still until `advance` moves it. */
  readonly clock?: 'real' | 'virtual';
  /** The first time of a virtual clock. Default: the time at which the last cluster in this data directory stopped, or 2026-01-01T00:00:00Z. */
  readonly startTime?: string | Date;
  /** The directory that keeps the objects for later clusters. Default: objects are in memory only. */
  readonly dataDir?: string;
  /** Makes name suffixes, UIDs and random numbers repeatable, so that a test sees the same names in each run. */
  readonly seed?: number;
  /** The number of nodes, or the nodes themselves. Default: three. */
  readonly nodes?: number | readonly NodeSpec[];
  /** How simulated pods behave. If several rules match a pod, later rules win; the pod's own annotations win over all rules. */
  readonly pods?: readonly PodBehaviourRule[];
  /** Switches controllers off by name, or all of them with `false`, which leaves a bare API server. */
  readonly controllers?: boolean | Readonly<Partial<Record<ControllerName, boolean>>>;
  /** How many pods that have ended stay before the oldest are deleted; 0: all. Default: 12,500, as in Kubernetes. */
  readonly terminatedPodGcThreshold?: number;
  /**
   * Whether clients authenticate and RBAC decides what they may do. The kubeconfig's user is an administrator, and so is who calls the cluster's own functions; a service account's token goes into
   * `Authorization`. Default: false.
   */
  readonly rbac?: boolean;
  /** The port of the HTTP API on 127.0.0.1. 0, the default, picks a free one. */
  readonly port?: number;
  /**
   * While clients watch, `settle` and `advance` also wait until no client has sent a request for this many milliseconds of real time. A controller under test has
   * then reacted when they return. Default: 20. 0 does not wait for clients.
   */
  readonly quietMs?: number;
  /** Where services that webhooks name are: `{ 'default/my-operator': '127.0.0.1:9443' }`. Webhooks that name a URL need none. */
  readonly webhookServices?: Readonly<Record<string, string>>;
  /** Receives a flat object for each sync and each error. */
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}
