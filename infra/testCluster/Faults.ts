import { ApiError, STATUS_CODES, type StatusReason } from '../../lambdas/objects/ApiError.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import { conflict } from '../../lambdas/objects/apiErrors.ts';
import { type Acting, ActingObjects } from './controls/ActingObjects.ts';
import { checkFault } from './faultProblems.ts';
import type { Fault } from './Fault.ts';

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
