import { ApiError } from '../../../objects/ApiError.ts';
import { ForeignStatusError } from '../../../objects/ForeignStatusError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import type { WebhookStatus } from './admissionReview.ts';

const LEAST_ERROR_CODE = 400;

/** The refusal of a webhook, as Kubernetes' `ToStatusErr`: with the code and the reason that it gave; 400 and no reason if it gave none. */
export function denial(name: string, status: WebhookStatus): ApiError {
  const { message = '', reason = '', code = 0 } = status;
  const deniedBy = `admission webhook ${goQuote(name)} denied the request`;
  const why = message || reason;
  return new ForeignStatusError({
    code: code < LEAST_ERROR_CODE ? LEAST_ERROR_CODE : code,
    reason,
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    details: status.details,
  });
}

export function failedCalling(name: string, why: string): ApiError {
  return internalError(`failed calling webhook ${goQuote(name)}: ${why}`);
}

export function cannotModify(name: string): ApiError {
  return internalError(
    `admission webhook ${goQuote(name)} attempted to modify the object, which is not supported for this operation`,
  );
}

/** Kubernetes' `NewInternalError`. */
export function internalError(why: string): ApiError {
  return new ApiError('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

export function dryRunUnsupported(name: string): ApiError {
  return new ApiError('BadRequest', `admission webhook ${goQuote(name)} does not support dry run`);
}
