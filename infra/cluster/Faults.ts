import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import { ApiError, STATUS_CODES, type StatusReason } from '../../lambdas/objects/ApiError.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import { conflict } from '../../lambdas/objects/apiErrors.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
export type FaultVerb = (typeof VERBS)[number];

/** Which requests fail, how, and how often. What is left out matches every request. */
export interface Fault {
  readonly verb?: FaultVerb;
  /** As in paths and RBAC rules: `deployments`, `pods/status`; singular and short names do too. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** So many requests fail, the next ones are let through; absent: until it is removed. */
  readonly times?: number;
  /**
   * Whose requests: `clients` are those who use the HTTP API; `controllers` are the cluster's own, whose writes can be refused, but not their reads. The calls of the
   * Cluster itself never meet a fault. `clients` if absent.
   */
  readonly by?: 'clients' | 'controllers' | 'everyone';
  /** Refused with this reason, or with the reason that this code stands for. */
  readonly respond?: {
    readonly reason?: StatusReason;
    readonly code?: number;
    readonly message?: string;
    readonly retryAfterSeconds?: number;
  };
  /** Refused as one that was made from an old resourceVersion. */
  readonly conflict?: true;
  /** Answered so much later, by the cluster's clock: milliseconds, or a text such as `5s`. Clients' requests only. */
  readonly delay?: string | number;
}

/** A fault that was added. */
export interface AddedFault {
  /** How many requests have met it. */
  readonly met: number;
  remove(): void;
}

/** The faults of a cluster. */
export interface Faults {
  /** From now on matching requests meet it; of several faults that match, the oldest. Throws a TypeError for a fault that cannot be. */
  add(fault: Fault): AddedFault;
  /** Removes all. */
  clear(): void;
}

/** What a request is known by, as in an RBAC rule. */
export interface FaultRequest {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

const EFFECTS = ['respond', 'conflict', 'delay'] as const;
const FIELDS = ['verb', 'resource', 'namespace', 'name', 'times', 'by', ...EFFECTS];
const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete'];

/** Faults as a list, the oldest first. `canonical` makes `deploy` into `deployments`, and throws for what is not served. */
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

  /** True if any fault could concern a request whose name is yet to be read. */
  looksAtNames(): boolean {
    return [...this.#faults].some(({ fault }) => fault.name !== undefined);
  }

  /** The fault that this request meets, counted as met. */
  meet(by: 'clients' | 'controllers', request: FaultRequest): Fault | undefined {
    for (const added of this.#faults) {
      const { fault, met } = added;
      if (met >= (fault.times ?? Number.POSITIVE_INFINITY) || !isMet(fault, by, request)) continue;
      added.met += 1;
      return fault;
    }
    return undefined;
  }
}

function isMet(fault: Fault, by: 'clients' | 'controllers', request: FaultRequest): boolean {
  const { by: whose = 'clients', verb, resource, namespace, name } = fault;
  if (whose !== 'everyone' && whose !== by) return false;
  const isController = by === 'controllers';
  // A controller's patch is an update like any other.
  const verbs = isController && verb === 'patch' ? 'update' : verb;
  return (
    (verbs ?? request.verb) === request.verb &&
    (resource ?? request.resource) === request.resource &&
    (namespace ?? request.namespace) === request.namespace &&
    (name ?? request.name) === request.name
  );
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

/** What a request is refused with by a fault that refuses. Pure. */
export function faultError({ respond, conflict: isConflict }: Fault, resource: GroupResource, name: string): ApiError {
  if (isConflict || !respond) return conflict(resource, name);
  const { message, retryAfterSeconds } = respond;
  const reason = respond.reason ?? reasonOf(respond.code);
  const text = message ?? `a fault of this cluster refuses the request: ${reason}`;
  return new ApiError(reason, text, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/** Of the reasons that share a code, the one that any request may meet. */
function reasonOf(code: number | undefined): StatusReason {
  if (code === STATUS_CODES.Conflict) return 'Conflict';
  const reasons = Object.entries(STATUS_CODES) as [StatusReason, number][];
  return reasons.find(([, itsCode]) => itsCode === code)?.[0] ?? 'InternalError';
}
