import type { StatusReason } from '../../lambdas/objects/ApiError.ts';

export type FaultVerb = (typeof FAULT_VERBS)[number];

/** Says which requests fail, how, and how often. A field that is left out matches every request. */
export interface Fault {
  readonly verb?: FaultVerb;
  /**
   * A plural as in RBAC rules, such as `deployments` or `pods/status`, or a singular or short name. A custom resource has its whole name, as its definition:
   * `widgets.example.com`, `widgets.example.com/status`. The definition may come later.
   */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The number of requests that fail; later ones succeed. Default: requests fail until the fault is removed. */
  readonly times?: number;
  /**
   * Whose requests fail. `clients` (the default) use the HTTP API. `controllers` are the cluster's own; only their writes can fail, not their reads. Calls of
   * Cluster's own methods never fail by a fault.
   */
  readonly by?: 'clients' | 'controllers' | 'everyone';
  /** Refuses the request with this reason, or with the reason that belongs to this code. */
  readonly respond?: {
    readonly reason?: StatusReason;
    readonly code?: number;
    readonly message?: string;
    readonly retryAfterSeconds?: number;
  };
  /** Refuses the request with a conflict, as if its resourceVersion were old. */
  readonly conflict?: true;
  /** Delays the answer by this duration of the cluster's clock: milliseconds, or a text such as `5s`. For requests of clients only. */
  readonly delay?: string | number;
}

export const FAULT_VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
