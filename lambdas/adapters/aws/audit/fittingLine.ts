import { type AuditEvent, auditLine, TRUNCATED } from '../../../objects/audit/AuditEvent.ts';

/** What CloudWatch counts besides the text of each event. */
export const BYTES_BESIDES = 26;

/** The most that one request of PutLogEvents may hold, and so the most that one event may have: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html. */
export const MAX_BATCH_BYTES = 1_048_576;
export const MAX_BATCH_EVENTS = 10_000;

export const MAX_EVENT_BYTES = MAX_BATCH_BYTES - BYTES_BESIDES;

/** The line of an event. One that is too large for CloudWatch is cut as kube-apiserver cuts with `--audit-log-truncate-enabled`: it loses its objects, and an annotation says so. `undefined` if it is too large even then. Pure. */
export function fittingLine(event: AuditEvent): string | undefined {
  const line = auditLine(event);
  if (fits(line)) return line;
  const { requestObject: _request, responseObject: _response, annotations, ...others } = event;
  const cut = auditLine({ ...others, annotations: { ...annotations, [TRUNCATED]: 'true' } });
  return fits(cut) ? cut : undefined;
}

function fits(line: string): boolean {
  // Most lines are too short to be measured.
  return line.length * MAX_UTF8_BYTES <= MAX_EVENT_BYTES || Buffer.byteLength(line) <= MAX_EVENT_BYTES;
}

const MAX_UTF8_BYTES = 3;
