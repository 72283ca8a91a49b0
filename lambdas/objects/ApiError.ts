/** The reasons for refusing a request, Kubernetes' `metav1.StatusReason`s, each with its HTTP status code. */
export const STATUS_CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  /** An error for which Kubernetes gives no reason; the Status has none. */
  Unknown: 500,
  NotImplemented: 501,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;
export type StatusReason = keyof typeof STATUS_CODES;

/** `metav1.StatusCause`: `reason` is a field.ErrorType such as `FieldValueRequired`, `field` a path such as `spec.template.spec.containers[0].image`. */
export interface StatusCause {
  /** Absent in the causes of an InternalError. */
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** As in Kubernetes: the resource (`deployments`) for most reasons, the kind (`Deployment`) for Invalid. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A refusal for the client. rest/ maps it to a `Status` answer in one place. `message` is Kubernetes' own wording. */
export class ApiError extends Error {
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;

  constructor(reason: StatusReason, message: string, details?: StatusDetails, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.reason = reason;
    this.details = details;
  }

  get code(): number {
    return STATUS_CODES[this.reason];
  }

  /** The reason that the Status shows; `''` for none. */
  get statusReason(): string {
    return this.reason === 'Unknown' ? '' : this.reason;
  }
}
