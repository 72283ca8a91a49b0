import { X509Certificate } from 'node:crypto';
import { requestConditionOf, type SigningRequest } from '../csrapproving/SigningRequest.ts';

const HOUR_MS = 3_600_000;
/** Kubernetes' `approvedExpiration` and `deniedExpiration`: how long a request stays that is settled. */
const SETTLED_MS = HOUR_MS;
/** Kubernetes' `pendingExpiration`: how long a request stays of which nobody has decided. */
const PENDING_MS = 24 * HOUR_MS;

/**
 * Decides in how many milliseconds a request for a certificate is deleted; 0 or less: now, `undefined`: never. That is an hour after it was issued, denied or failed, a day after it was made if nobody has decided, and
 * when its certificate ends. A request that is approved, and for a signer that never answers, stays. Pure.
 */
export function decideCleaning(request: SigningRequest, nowMs: number): number | undefined {
  const { status, metadata } = request;
  const certificate = status?.certificate;
  const settled = ['Denied', 'Failed', ...(certificate ? ['Approved'] : [])];
  const ends = [
    ...settled.map((type) => timeOf(requestConditionOf(request, type)?.lastUpdateTime) + SETTLED_MS),
    ...((status?.conditions ?? []).length === 0 ? [timeOf(metadata.creationTimestamp) + PENDING_MS] : []),
    ...(certificate && requestConditionOf(request, 'Approved') ? [endOf(certificate)] : []),
  ].filter((ms) => !Number.isNaN(ms));
  // The last moment still counts as part of the time.
  return ends.length === 0 ? undefined : Math.min(...ends) + 1 - nowMs;
}

function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '');
}

/** Not a number for what is no certificate. */
function endOf(base64: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(base64, 'base64')).validTo);
  } catch {
    return Number.NaN;
  }
}
