import { ApiError, type StatusCause } from './ApiError.ts';
import { type FieldError, fieldErrorCause, fieldErrorsMessage } from './FieldError.ts';
import { goQuote } from './go/goQuote.ts';
import type { GroupResource } from './ObjectKey.ts';

/*
 * The errors of apimachinery's `api/errors`, with the same words. `resource` is the GroupResource (`deployments.apps`). For Invalid, `kind` is a kind with
 * its group (`Deployment.apps`).
 */

const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';

function detailsOf(resource: GroupResource, name: string) {
  const dot = resource.indexOf('.');
  const kind = dot < 0 ? resource : resource.slice(0, dot);
  return {
    ...(name !== '' && { name }),
    ...(dot >= 0 && { group: resource.slice(dot + 1) }),
    ...(kind !== '' && { kind }),
  };
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError('NotFound', `${resource} ${goQuote(name)} not found`, detailsOf(resource, name));
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return new ApiError('AlreadyExists', `${resource} ${goQuote(name)} already exists`, detailsOf(resource, name));
}

/** AlreadyExists for `generateName`: every generated name that was tried is taken. */
export function generateNameConflict(resource: GroupResource, name: string): ApiError {
  const message = `${resource} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return new ApiError('AlreadyExists', message, { ...detailsOf(resource, name), retryAfterSeconds: 1 });
}

/** Conflict; without `why` it is about a stale resourceVersion. */
export function conflict(resource: GroupResource, name: string, why: string = OPTIMISTIC_LOCK): ApiError {
  const message = `Operation cannot be fulfilled on ${resource} ${goQuote(name)}: ${why}`;
  return new ApiError('Conflict', message, detailsOf(resource, name));
}

export function forbidden(
  resource: GroupResource,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const subject = name === '' ? resource : `${resource} ${goQuote(name)}`;
  return new ApiError('Forbidden', `${subject} is forbidden: ${why}`, {
    ...detailsOf(resource, name),
    ...(causes && { causes }),
  });
}

/** The most field errors that one refusal names. An object can have as many as it has fields; nobody reads more than these. */
const MAX_FIELD_ERRORS = 50;

/** `Deployment.apps "web" is invalid: …` with one cause for each field error that is named. */
export function invalid(kind: string, name: string, allErrors: readonly FieldError[]): ApiError {
  const errors = allErrors.slice(0, MAX_FIELD_ERRORS);
  const why = errors.length === 0 ? '' : `: ${fieldErrorsMessage(errors)}`;
  return new ApiError('Invalid', `${kind} ${goQuote(name)} is invalid${why}`, {
    ...detailsOf(kind, name),
    causes: errors.map(fieldErrorCause),
  });
}

export function badRequest(why: string): ApiError {
  return new ApiError('BadRequest', why);
}

/** RequestEntityTooLarge for content that does not fit an object or a request; `limit` is in bytes, or in `unit`. */
export function requestEntityTooLarge(limit: number, unit?: string): ApiError {
  const what = unit === undefined ? `${limit}` : `${limit} ${unit}`;
  return new ApiError('RequestEntityTooLarge', `Request entity too large: limit is ${what}`);
}

/** The answer for a request whose time is over. It may have written what it was asked to write. */
export function requestTimeout(): ApiError {
  return new ApiError('Timeout', 'the request took too long and was abandoned', { retryAfterSeconds: 1 });
}
