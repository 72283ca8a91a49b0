/** How much an audit policy asks to record of a request, from nothing to both objects. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** The instants of a request at which an event is made. */
export const AUDIT_STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

/** `authentication.k8s.io/v1` UserInfo. All fields are absent for a request whose sender is not known. */
export interface AuditedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request is about. A field is absent if it would be empty. */
export interface AuditedReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** The Status of an answer. An answer that is no Status has only its code. */
export interface AuditedStatus {
  readonly metadata: object;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code: number;
}

/** `audit.k8s.io/v1` Event: one stage of one request. Times are MicroTimes: `2026-01-01T00:00:00.000000Z`. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  /** Path and query. */
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditedUser;
  readonly impersonatedUser?: AuditedUser;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: AuditedReference;
  readonly responseStatus?: AuditedStatus;
  /** JSON texts of one line. */
  readonly requestObject?: string;
  readonly responseObject?: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The annotation of an event that lacks an object because it is too long. Kubernetes' name. */
export const TRUNCATED = 'audit.k8s.io/truncated';

/** True if a policy's level asks for what `least` records. */
export function reachesLevel(level: AuditLevel, least: AuditLevel): boolean {
  return AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(least);
}

/** The event as one line of JSON, without its end, with the fields in Kubernetes' order. The objects are texts already, and are not parsed again. Pure. */
export function auditLine(event: AuditEvent): string {
  const { requestObject, responseObject, requestReceivedTimestamp, stageTimestamp, annotations, ...about } = event;
  const head = JSON.stringify({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', ...about });
  const objects = [
    requestObject === undefined ? '' : `,"requestObject":${requestObject}`,
    responseObject === undefined ? '' : `,"responseObject":${responseObject}`,
  ];
  const sorted = annotations && Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1));
  const tail = JSON.stringify({
    requestReceivedTimestamp,
    stageTimestamp,
    ...(sorted && { annotations: Object.fromEntries(sorted) }),
  });
  return `${head.slice(0, -1)}${objects.join('')},${tail.slice(1)}`;
}
