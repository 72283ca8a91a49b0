import { ApiError, type StatusReason } from '../../../objects/ApiError.ts';
import { forbidden } from '../../../objects/apiErrors.ts';
import { goJson } from '../../../objects/go/goJson.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import type { PolicyResult } from './ValidatingPolicy.ts';

/** What a binding makes of a denial: `Deny`, `Warn`, `Audit`. */
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
  /** The place of the validation in its policy; 0 for what no validation has denied. */
  readonly expressionIndex: number;
}

/** Returns the denials of one evaluation. Annotations for the audit log that cannot be made deny the request, whatever the binding says. Pure. */
export function denialsOf(
  names: PolicyNames,
  { decisions, annotations }: PolicyResult,
  actions: readonly ValidationAction[] = [],
): Denial[] {
  const denied = decisions.flatMap((decision, expressionIndex) => {
    if (decision.action !== 'deny') return [];
    const { message, reason } = decision;
    return [{ ...names, message, reason, actions, expressionIndex }];
  });
  const failed = annotations.flatMap((annotation) =>
    annotation.action === 'error'
      ? [{ ...names, message: annotation.error, reason: 'Invalid', actions: ['Deny'], expressionIndex: 0 }]
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

/** The annotation under which the audit log has a denial of a binding that audits. */
export const VALIDATION_FAILURE = 'validation.policy.admission.k8s.io/validation_failure';

/** What the audit log has of a denial: a list with one item, as in Kubernetes. Pure. */
export function failureOf({ message, policy, binding = '', expressionIndex, actions }: Denial): string {
  return goJson([{ message, policy, binding, expressionIndex, validationActions: actions }]);
}
