import { ApiError, type StatusDetails } from '../../objects/ApiError.ts';

/** `metav1.Status` as it goes over the wire. */
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

/** The one mapping from a refusal to what the client is told. */
export function statusOf(error: ApiError): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error instanceof ExpiredListError && error.token ? { continue: error.token } : {},
    status: 'Failure',
    message: error.message,
    reason: error.reason,
    ...(error.details && { details: error.details }),
    code: error.code,
  };
}

/** A list whose position is gone: the Status carries a token with which the client may go on, inconsistently. */
export class ExpiredListError extends ApiError {
  readonly token: string | undefined;

  constructor(message: string, token?: string) {
    super('Expired', message);
    this.name = 'ExpiredListError';
    this.token = token;
  }
}

/** What Kubernetes answers where no route fits below a served group version. */
export function unknownResource(): ApiError {
  return new ApiError('NotFound', 'the server could not find the requested resource', {});
}

/** What Kubernetes answers where a route exists but not for this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** None of the forms that the client takes can be given. */
export function notAcceptable(offered: readonly string[]): ApiError {
  return new ApiError('NotAcceptable', `only the following media types are accepted: ${offered.join(', ')}`);
}

/** A refusal of what nobody foresaw. The cause is for the log; the client learns that it happened, and nothing of the inside. */
export function internalError(cause: unknown): ApiError {
  return new ApiError('InternalError', 'Internal error occurred: the request could not be processed', undefined, {
    cause,
  });
}

/** A version that this server has not reached, in the words by which client-go knows to relist from scratch. */
export function tooLargeResourceVersion(version: number, current: number): ApiError {
  return new ApiError('Timeout', `Too large resource version: ${version}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' }],
    retryAfterSeconds: 1,
  });
}
