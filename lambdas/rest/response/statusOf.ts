import type { GroupResource } from '../../objects/ObjectKey.ts';
import { ApiError, type StatusCause, type StatusDetails } from '../../objects/ApiError.ts';

/** `metav1.Status` in its JSON form. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** What one refusal may hold, in bytes of JSON, so that no answer to a refused request is larger than 64 kB. */
const MAX_MESSAGE_BYTES = 16_000;
const MAX_CAUSES_BYTES = 32_000;
const MAX_NAME_BYTES = 2_000;

/** Maps an error to the Status that the client receives. The only place that does so. Texts and causes that would make it too large are cut. */
export function statusOf(error: ApiError): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error instanceof ExpiredListError && error.token ? { continue: error.token } : {},
    status: 'Failure',
    message: shortText(error.message, MAX_MESSAGE_BYTES),
    ...(error.statusReason !== '' && { reason: error.statusReason }),
    ...(error.details && { details: shortDetails(error.details) }),
    code: error.code,
  };
}

function shortDetails(details: StatusDetails): StatusDetails {
  const { name, causes } = details;
  return {
    ...details,
    ...(name !== undefined && { name: shortText(name, MAX_NAME_BYTES) }),
    ...(causes && { causes: shortCauses(causes) }),
  };
}

/** The first causes, as many as there is room for. */
function shortCauses(causes: readonly StatusCause[]): StatusCause[] {
  const kept: StatusCause[] = [];
  let bytes = 0;
  for (const { reason, message, field } of causes) {
    const cause = {
      ...(reason !== undefined && { reason }),
      message: shortText(message, MAX_MESSAGE_BYTES),
      ...(field !== undefined && { field: shortText(field, MAX_NAME_BYTES) }),
    };
    bytes += Buffer.byteLength(JSON.stringify(cause));
    if (bytes > MAX_CAUSES_BYTES) break;
    kept.push(cause);
  }
  return kept;
}

/** The text, cut so that it takes at most about `maxBytes` as JSON; a text that was cut ends in `…`. */
function shortText(text: string, maxBytes: number): string {
  let kept = text.slice(0, maxBytes);
  while (jsonBytes(kept) > maxBytes) kept = kept.slice(0, Math.floor(kept.length * 0.75));
  return kept.length < text.length ? `${kept}…` : text;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The error for a list whose position has expired. Its Status may carry a token with which the client can continue, without consistency. */
export class ExpiredListError extends ApiError {
  readonly token: string | undefined;

  constructor(message: string, token?: string) {
    super('Expired', message);
    this.name = 'ExpiredListError';
    this.token = token;
  }
}

/** Kubernetes' error for a path below a served group version that matches no route. */
export function unknownResource(): ApiError {
  return new ApiError('NotFound', 'the server could not find the requested resource', {});
}

/** A path that no route matches: the answer is plain text, and no Status. */
export class PageNotFoundError extends Error {}

/** The error for a verb that a custom resource does not serve. */
export function methodNotSupported(resource: GroupResource, verb: string): ApiError {
  const dot = resource.indexOf('.');
  const details = { group: resource.slice(dot + 1), kind: resource.slice(0, dot) };
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(resource)}`;
  return new ApiError('MethodNotAllowed', message, details);
}

/** Kubernetes' error for a path that exists, but not for this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** The error for an Accept header of which no clause can be served. */
export function notAcceptable(offered: readonly string[]): ApiError {
  return new ApiError('NotAcceptable', `only the following media types are accepted: ${offered.join(', ')}`);
}

/** The error for an unexpected failure. The cause goes to the log; the client receives no details. */
export function internalError(cause: unknown): ApiError {
  return new ApiError('InternalError', 'Internal error occurred: the request could not be processed', undefined, {
    cause,
  });
}

/** The error for a version that this server has not reached. client-go recognizes these words and lists again from scratch. */
export function tooLargeResourceVersion(version: number, current: number): ApiError {
  return new ApiError('Timeout', `Timeout: Too large resource version: ${version}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
