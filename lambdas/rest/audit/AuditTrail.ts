import {
  type AuditedReference,
  type AuditedStatus,
  type AuditedUser,
  type AuditEvent,
  type AuditLevel,
  type AuditStage,
  reachesLevel,
  TRUNCATED,
} from '../../objects/audit/AuditEvent.ts';
import { formatGoDuration } from '../../objects/go/goDuration.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import type { AuditLog } from '../../ports/AuditLog.ts';
import { type Clock, formatMicroTime } from '../../ports/Clock.ts';
import type { Verdict } from '../rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { Status } from '../response/statusOf.ts';
import type { AuditDecision } from './AuditPolicy.ts';
import { objectWithoutManagedFields, textWithoutManagedFields } from './withoutManagedFields.ts';

/** What is known of a request when it arrives. */
export interface AuditedRequest {
  readonly auditId: string;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly sourceAddresses: readonly string[];
  readonly userAgent: string;
  /** False for a request that is refused because nobody knows who sends it. */
  readonly isAuthenticated: boolean;
  /** True for a request whose answer goes on, such as a watch: the beginning of the answer is an event, too. */
  readonly isLongRunning: boolean;
  /** Absent for a request that names no resource. */
  readonly reference: AuditedReference | undefined;
  readonly receivedMs: number;
  readonly decision: AuditDecision;
  /** An answer's object that is longer is not recorded. */
  readonly maxObjectCharacters: number;
}

const SWITCHING_PROTOCOLS = 101;
/** What took no longer is not noted. */
const SLOW_MS = 500;

/** The parts of an object that a reference shows. */
interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What one request leaves in the audit log: whoever serves it notes here what is to be recorded, and each stage writes what is known by then. Kubernetes' `audit.AuditContext`. */
export class AuditTrail {
  readonly #request: AuditedRequest;
  readonly #log: AuditLog;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #annotations = new Map<string, string>();
  #reference: AuditedReference | undefined;
  #impersonated: AuditedUser | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: AuditedStatus | undefined;
  #isAnswering = false;
  #isOver = false;
  #isUpgraded = false;

  constructor(request: AuditedRequest, log: AuditLog, clock: Pick<Clock, 'now'>) {
    this.#request = request;
    this.#log = log;
    this.#clock = clock;
    this.#reference = request.reference;
  }

  get request(): AuditedRequest {
    return this.#request;
  }

  /** True while pieces of the answer's object are still to come. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** True once the connection of the request has changed its protocol. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }

  beginUpgraded(): void {
    this.#isUpgraded = true;
    this.noteCode(SWITCHING_PROTOCOLS);
    this.write('ResponseStarted');
  }

  /** Writes the event of a stage, unless the policy omits it, or the request is over. */
  write(stage: AuditStage): void {
    if (this.#isOver) return;
    this.#isOver = stage === 'ResponseComplete' || stage === 'Panic';
    if (stage === 'ResponseComplete') this.#noteLatency();
    if (!this.#request.decision.omitStages.includes(stage)) this.#log.write(this.#eventOf(stage));
  }

  /** Notes how long a slow request took, as Kubernetes does (`filters/audit.go`). The parts that it tells besides, such as the time in etcd, are not measured here. */
  #noteLatency(): void {
    const tookMs = this.#clock.now() - this.#request.receivedMs;
    if (tookMs > SLOW_MS) this.annotate('apiserver.latency.k8s.io/total', formatGoDuration(tookMs));
  }

  /** Writes that the server has failed, which ends the request for the audit log. */
  panic(cause: unknown): void {
    const message = `APIServer panic'd: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.#status = { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
    this.write('Panic');
  }

  noteImpersonation(user: UserInfo): void {
    this.#impersonated = auditedUser(user);
  }

  noteAuthorization({ isAllowed, reason }: Verdict): void {
    this.annotate('authorization.k8s.io/decision', isAllowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  /**
   * Adds an annotation. The first value of a key counts, so that no webhook or policy replaces what others have said, such as the decision of the authorizer. What is no key of an annotation is passed over. Both as in Kubernetes. `least`: the
   * level from which on it is recorded.
   */
  annotate(key: string, value: string, least: AuditLevel = 'Metadata'): void {
    if (!this.#reaches(least) || !key.includes('/') || isQualifiedName(key).length > 0) return;
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  /** Notes the object that the client has sent, before anybody changes it. */
  noteRequest(object: Readonly<Record<string, unknown>>): void {
    const { metadata = {} } = object as { readonly metadata?: ObjectMeta };
    this.#reference = this.#reference && withMeta(this.#reference, metadata);
    if (!this.#reaches('Request')) return;
    const { omitManagedFields } = this.#request.decision;
    const { kind, apiVersion, ...members } = omitManagedFields ? objectWithoutManagedFields(object) : object;
    this.#requestObject = JSON.stringify({ kind, apiVersion, ...members });
  }

  /** Notes a patch, which must be JSON, in one line. It may begin with a byte order mark. It says nothing about the object itself. */
  notePatch(bytes: Uint8Array): void {
    if (this.#reaches('Request')) this.#requestObject = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)));
  }

  /** Notes what a server-side apply applies. */
  noteApply(configuration: object): void {
    if (this.#reaches('Request')) this.#requestObject = JSON.stringify(configuration);
  }

  noteStatus({ status, message, reason, details, code = 200 }: Status): void {
    this.#status = {
      metadata: {},
      status,
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(details && { details }),
      code,
    };
  }

  /** Notes the code that the client gets. A Status may have said more. */
  noteCode(code: number): void {
    this.#status = { ...(this.#status ?? { metadata: {} }), code };
  }

  /**
   * Passes on the pieces of the JSON of the answer's object. When the last one is taken, the object is recorded, unless it is longer than the log takes: a long list streams, and must not be held in memory for nothing. Requests that name no
   * resource have no object.
   */
  *reading(pieces: Iterable<string>): Generator<string> {
    let kept: string[] | undefined = this.#reaches('RequestResponse') && this.#reference !== undefined ? [] : undefined;
    let characters = 0;
    this.#isAnswering = true;
    for (const piece of pieces) {
      characters += piece.length;
      if (kept && characters > this.#request.maxObjectCharacters) {
        kept = undefined;
        this.annotate(TRUNCATED, 'true');
      }
      kept?.push(piece);
      yield piece;
    }
    this.#isAnswering = false;
    if (!kept) return;
    const text = kept.join('');
    this.#responseObject = this.#request.decision.omitManagedFields ? textWithoutManagedFields(text) : text;
  }

  #reaches(least: AuditLevel): boolean {
    return reachesLevel(this.#request.decision.level, least);
  }

  #eventOf(stage: AuditStage): AuditEvent {
    const { auditId, requestUri, verb, user, sourceAddresses, userAgent, receivedMs, decision } = this.#request;
    const stageMs = stage === 'RequestReceived' ? receivedMs : this.#clock.now();
    return {
      level: decision.level,
      auditID: auditId,
      stage,
      requestURI: requestUri,
      verb,
      user: auditedUser(user),
      ...(this.#impersonated && { impersonatedUser: this.#impersonated }),
      ...(sourceAddresses.length > 0 && { sourceIPs: sourceAddresses }),
      ...(userAgent !== '' && { userAgent }),
      ...(this.#reference && { objectRef: this.#reference }),
      ...(this.#status && { responseStatus: this.#status }),
      ...(this.#requestObject !== undefined && { requestObject: this.#requestObject }),
      ...(this.#responseObject !== undefined && { responseObject: this.#responseObject }),
      requestReceivedTimestamp: formatMicroTime(receivedMs),
      stageTimestamp: formatMicroTime(stageMs),
      ...(this.#annotations.size > 0 && { annotations: Object.fromEntries(this.#annotations) }),
    };
  }
}

function auditedUser(user: UserInfo | undefined): AuditedUser {
  if (!user) return {};
  const { username, uid, groups, extra } = user;
  return { username, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(extra && { extra }) };
}

/** What the path says counts before what the object says of itself. The order of fields is Kubernetes'. */
function withMeta(reference: AuditedReference, meta: ObjectMeta): AuditedReference {
  const [namespace, name] = [reference.namespace || meta.namespace, reference.name || meta.name];
  const { resource, apiGroup, apiVersion, subresource } = reference;
  return {
    ...(resource && { resource }),
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(meta.uid && { uid: meta.uid }),
    ...(apiGroup && { apiGroup }),
    ...(apiVersion && { apiVersion }),
    ...(meta.resourceVersion && { resourceVersion: meta.resourceVersion }),
    ...(subresource && { subresource }),
  };
}
