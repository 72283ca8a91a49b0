import { ApiError, type StatusReason } from '../../../objects/ApiError.ts';
import { forbidden } from '../../../objects/apiErrors.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import type { PolicyResult } from './ValidatingPolicy.ts';

/** What a binding makes of a denial: `Deny`, `Warn`, `Audit`. There is no audit log here, so `Audit` has no effect. */
type ValidationAction = string;

interface PolicyNames {
  readonly policy: string;
  /** Absent if the policy itself cannot act. */
  readonly binding?: string;
}

/** Why a policy denies a request, and what its binding makes of that. */
export interface Denial extends PolicyNames {
  readonly message: string;
  readonly reason: string;
  readonly actions: readonly ValidationAction[];
}

/** Returns the denials of one evaluation. Annotations for the audit log that cannot be made deny the request, whatever the binding says. Pure. */
export function denialsOf(
  names: PolicyNames,
  { decisions, annotations }: PolicyResult,
  actions: readonly ValidationAction[] = [],
): Denial[] {
  const denied = decisions.flatMap((decision) =>
    decision.action === 'deny' ? [{ ...names, message: decision.message, reason: decision.reason, actions }] : [],
  );
  const failed = annotations.flatMap((annotation) =>
    annotation.action === 'error'
      ? [{ ...names, message: annotation.error, reason: 'Invalid', actions: ['Deny'] }]
      : [],
  );
  return [...denied, ...failed];
}

/** The refusal in Kubernetes' words. A policy chooses among three reasons, each with its code. Pure. */
export function denialError({ entry, name, object }: AdmissionAttributes, denial: Denial): ApiError {
  const { policy, binding, reason } = denial;
  const where = binding === undefined ? '' : ` with binding '${binding}'`;
  const message = `ValidatingAdmissionPolicy '${policy}'${where} denied request: ${denial.message}`;
  const subject = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  const error = forbidden(entry.groupResource, subject, message, [{ message }]);
  return new ApiError(reasonOf(reason), error.message, error.details);
}

function reasonOf(reason: string): StatusReason {
  return reason === 'Forbidden' || reason === 'RequestEntityTooLarge' ? reason : 'Invalid';
}

/** What the client is warned of. Pure. */
export function warningOf({ policy, binding = '', message }: Denial): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
}
