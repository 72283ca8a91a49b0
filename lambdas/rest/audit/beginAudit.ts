import type { AuditedReference } from '../../objects/audit/AuditEvent.ts';
import type { AuditLog } from '../../ports/AuditLog.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import { isLongRunning } from '../request/isLongRunning.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import { type AuditPolicy, decideAudit } from './AuditPolicy.ts';
import { AuditTrail } from './AuditTrail.ts';
import { sourceAddresses } from './sourceAddresses.ts';

/** What is recorded, and where. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly log: AuditLog;
  /** An answer's object that is longer than this is not recorded: what the log takes at most. */
  readonly maxObjectCharacters: number;
  /** The address from which the request has come to this server, read from what the runtime passes alongside it. */
  readonly remoteAddressOf: (environment: unknown) => string | undefined;
}

/** A request that has arrived. */
export interface ArrivedRequest {
  readonly raw: Request;
  readonly url: URL;
  readonly info: RequestInfo;
  readonly environment: unknown;
  readonly auditId: string;
  readonly receivedMs: number;
  /** Who sends it; absent if nobody knows. */
  readonly user: UserInfo | undefined;
  /** False if it is refused for that. */
  readonly isAuthenticated: boolean;
}

/** The trails of the requests that are served, as Kubernetes keeps them in the contexts of its requests. Without an audit log it is empty. */
const trails = new WeakMap<Request, AuditTrail>();

/** The trail of a request; `undefined` for one of which nothing is recorded. */
export function trailOf(raw: Request): AuditTrail | undefined {
  return trails.get(raw);
}

/** Begins the trail of a request, unless the policy records nothing of it, and writes that the request was received. Of a request that is refused because nobody knows who sends it, only the answer is an event. */
export function beginAudit(
  { policy, log, maxObjectCharacters, remoteAddressOf }: AuditOptions,
  clock: Clock,
  arrived: ArrivedRequest,
): void {
  const { raw, url, info, user, auditId, receivedMs, isAuthenticated } = arrived;
  const decision = decideAudit(policy, info, user);
  if (decision.level === 'None') return;
  const request = {
    auditId,
    requestUri: `${url.pathname}${url.search}`,
    verb: info.verb,
    user,
    sourceAddresses: sourceAddresses(raw.headers, remoteAddressOf(arrived.environment)),
    userAgent: shortUserAgent(raw.headers.get('user-agent') ?? ''),
    isAuthenticated,
    isLongRunning: isLongRunning(info),
    reference: info.isResourceRequest ? referenceOf(info) : undefined,
    receivedMs,
    decision,
    maxObjectCharacters,
  };
  const trail = new AuditTrail(request, log, clock);
  trails.set(raw, trail);
  if (isAuthenticated) trail.write('RequestReceived');
}

const MAX_USER_AGENT_CHARACTERS = 1024;

function shortUserAgent(text: string): string {
  return text.length <= MAX_USER_AGENT_CHARACTERS ? text : `${text.slice(0, MAX_USER_AGENT_CHARACTERS)}...TRUNCATED`;
}

function referenceOf({ resource, namespace, name, group, version, subresource }: RequestInfo): AuditedReference {
  return {
    resource,
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    apiVersion: version,
    ...(subresource !== '' && { subresource }),
  };
}
