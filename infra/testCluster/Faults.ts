import { ApiError, STATUS_CODES, type StatusReason } from '../../lambdas/objects/ApiError.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import { conflict } from '../../lambdas/objects/apiErrors.ts';
import { type Acting, ActingObjects } from './controls/ActingObjects.ts';
import { checkFault, type FAULT_VERBS } from './faultProblems.ts';

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

/** A fault that was added. */
export interface AddedFault {
  /** The number of requests that the fault has applied to. */
  readonly met: number;
  remove(): void;
}

/** The faults of a cluster. */
export interface Faults {
  /** Adds a fault for requests from now on. If several faults match a request, the oldest applies. Throws a TypeError for an invalid fault. */
  add(fault: Fault): AddedFault;
  /** Removes all faults. */
  clear(): void;
}

/** The attributes of a request, as in an RBAC rule. */
export interface FaultRequest {
  readonly verb: string;
  /** `''` for the core group. */
  readonly group: string;
  /** The plural, with the subresource: `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The faults of a cluster, the oldest first. `canonical` turns `deploy` into `deployments` and throws for a resource that cannot be served. */
export class FaultList implements Faults {
  readonly acting = new ActingObjects<Fault>();
  readonly #canonical: (resource: string) => string;

  constructor(canonical: (resource: string) => string) {
    this.#canonical = canonical;
  }

  add(fault: Fault): AddedFault {
    checkFault(fault);
    const added = this.acting.add(this.canonical(fault));
    return {
      get met() {
        return added.acted;
      },
      remove: () => this.acting.remove(added),
    };
  }

  clear(): void {
    this.acting.clear();
  }

  /** Returns the fault with the plural of its resource. Throws a TypeError for a resource that cannot be served. */
  canonical(fault: Fault): Fault {
    return fault.resource === undefined ? fault : { ...fault, resource: this.#canonical(fault.resource) };
  }

  /** True if any fault names an object, so that the name of a request must be read from its body. */
  needsNames(): boolean {
    return [...this.acting.values()].some(({ spec }) => spec.name !== undefined);
  }

  /** Returns the fault that applies to this request, and counts it. */
  match(by: 'clients' | 'controllers', request: FaultRequest): Fault | undefined {
    const acting = [...this.acting.values()].find((one) => isLeft(one) && matches(one.spec, by, request));
    if (acting) this.acting.count(acting);
    return acting?.spec;
  }
}

function isLeft({ spec: { times = Number.POSITIVE_INFINITY }, acted }: Acting<Fault>): boolean {
  return acted < times;
}

function matches(fault: Fault, by: 'clients' | 'controllers', request: FaultRequest): boolean {
  const { by: whose = 'clients', verb, resource, namespace, name } = fault;
  if (whose !== 'everyone' && whose !== by) return false;
  const isController = by === 'controllers';
  // Controllers write through the registry, where a patch is an update.
  const verbs = isController && verb === 'patch' ? 'update' : verb;
  return (
    (verbs ?? request.verb) === request.verb &&
    (resource === undefined || resource === request.resource || resource === wholeName(request)) &&
    (namespace ?? request.namespace) === request.namespace &&
    (name ?? request.name) === request.name
  );
}

/** `widgets.example.com/status`: what names a custom resource. */
function wholeName({ group, resource }: FaultRequest): string {
  const [plural = '', ...subresource] = resource.split('/');
  return [`${plural}.${group}`, ...subresource].join('/');
}

/** Returns the error that a fault answers a request with. Pure. */
export function faultError({ respond, conflict: isConflict }: Fault, resource: GroupResource, name: string): ApiError {
  if (isConflict || !respond) return conflict(resource, name);
  const { message, retryAfterSeconds } = respond;
  const reason = respond.reason ?? reasonOf(respond.code);
  const text = message ?? `a fault of this cluster refuses the request: ${reason}`;
  return new ApiError(reason, text, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/** Several reasons can share a code; returns the one that applies to any request. */
function reasonOf(code: number | undefined): StatusReason {
  if (code === STATUS_CODES.Conflict) return 'Conflict';
  const reasons = Object.entries(STATUS_CODES) as [StatusReason, number][];
  return reasons.find(([, itsCode]) => itsCode === code)?.[0] ?? 'InternalError';
}
