import { ApiError, type StatusDetails } from './ApiError.ts';

/** A refusal that another server has worded, with a code and a reason of its own. */
export interface ForeignStatus {
  /** An HTTP status code from 400 on. */
  readonly code: number;
  /** `''` for none. */
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
}

/** A refusal that is passed on to the client as another server has worded it: a webhook. */
export class ForeignStatusError extends ApiError {
  readonly #code: number;
  readonly #reason: string;

  constructor({ code, reason, message, details }: ForeignStatus) {
    super('Unknown', message, details);
    this.name = 'ForeignStatusError';
    this.#code = code;
    this.#reason = reason;
  }

  override get code(): number {
    return this.#code;
  }

  override get statusReason(): string {
    return this.#reason;
  }
}
