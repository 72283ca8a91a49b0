import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import { ApiError, STATUS_CODES, type StatusReason } from '../../lambdas/objects/ApiError.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import { conflict } from '../../lambdas/objects/apiErrors.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
export type FaultVerb = (typeof VERBS)[number];

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

const EFFECTS = ['respond', 'conflict', 'delay'] as const;
const FIELDS = ['verb', 'resource', 'namespace', 'name', 'times', 'by', ...EFFECTS];
const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete'];

/** A list of faults, the oldest first. `canonical` turns `deploy` into `deployments` and throws for a resource that cannot be served. */
export class FaultList implements Faults {
  readonly #canonical: (resource: string) => string;
  readonly #faults = new Set<{ readonly fault: Fault; met: number }>();

  constructor(canonical: (resource: string) => string) {
    this.#canonical = canonical;
  }

  add(fault: Fault): AddedFault {
    checkFault(fault);
    const resource = fault.resource === undefined ? {} : { resource: this.#canonical(fault.resource) };
    const added = { fault: { ...fault, ...resource }, met: 0 };
    this.#faults.add(added);
    return {
      get met() {
        return added.met;
      },
      remove: () => void this.#faults.delete(added),
    };
  }

  clear(): void {
    this.#faults.clear();
  }

  /** True if any fault names an object, so that the name of a request must be read from its body. */
  needsNames(): boolean {
    return [...this.#faults].some(({ fault }) => fault.name !== undefined);
  }

  /** Returns the fault that applies to this request, and counts it. */
  match(by: 'clients' | 'controllers', request: FaultRequest): Fault | undefined {
    for (const added of this.#faults) {
      const { fault, met } = added;
      if (met >= (fault.times ?? Number.POSITIVE_INFINITY) || !matches(fault, by, request)) continue;
      added.met += 1;
      return fault;
    }
    return undefined;
  }
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

function checkFault(fault: Fault): void {
  const unknown = Object.keys(fault).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) refuse(`has no field ${JSON.stringify(unknown)}; it has ${FIELDS.join(', ')}`);
  const effects = EFFECTS.filter((effect) => fault[effect] !== undefined);
  if (effects.length !== 1) refuse(`has exactly one of ${EFFECTS.join(', ')}`);
  const { verb, by = 'clients', times, delay } = fault;
  if (verb !== undefined && !VERBS.includes(verb)) refuse(`has a verb out of ${VERBS.join(', ')}`);
  if (!['clients', 'controllers', 'everyone'].includes(by)) refuse('is met by "clients", "controllers" or "everyone"');
  if (times !== undefined && !(Number.isSafeInteger(times) && times > 0)) refuse('has times: an integer from 1');
  if (delay !== undefined && !isDelay(delay)) refuse('delays by milliseconds, or a duration such as 5s');
  if (by === 'clients') return checkRespond(fault.respond);
  if (delay !== undefined) refuse('delays requests of clients only');
  if (by === 'controllers' && verb !== undefined && !WRITES.includes(verb)) refuse('lets controllers read');
  checkRespond(fault.respond);
}

function isDelay(delay: string | number): boolean {
  const ms = typeof delay === 'number' ? delay : parseDuration(delay);
  return ms !== undefined && Number.isFinite(ms) && ms >= 0;
}

function checkRespond(respond: Fault['respond']): void {
  if (!respond) return;
  const { reason, code } = respond;
  if (reason === undefined && code === undefined) refuse('responds with a reason or a code');
  if (reason !== undefined && !(reason in STATUS_CODES))
    refuse(`responds with a reason out of ${Object.keys(STATUS_CODES).join(', ')}`);
  const codes = reason === undefined ? Object.values(STATUS_CODES) : [STATUS_CODES[reason]];
  if (code !== undefined && !(codes as number[]).includes(code))
    refuse(`responds with a code out of ${[...new Set(codes)].join(', ')}`);
}

function refuse(problem: string): never {
  throw new TypeError(`faults.add: a fault ${problem}`);
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
