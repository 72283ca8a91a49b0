import { ApiError, STATUS_CODES, type StatusReason } from '../../lambdas/objects/ApiError.ts';
import { conflict } from '../../lambdas/objects/apiErrors.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { Fault } from './Faults.ts';

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
