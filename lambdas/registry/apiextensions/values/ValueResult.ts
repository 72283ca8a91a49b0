import type { FieldError } from '../../../objects/FieldError.ts';

/** An error of one value. `message` tells errors apart: go-openapi reports a message once. */
interface ValueError {
  readonly message: string;
  readonly error: FieldError;
}

/**
 * What one schema finds in one value, as go-openapi's `validate.Result`. `matchCount` counts the checks that were made: of several schemas that all fail,
 * the errors of the one with most checks are shown.
 */
export class ValueResult {
  errors: ValueError[] = [];
  matchCount = 0;
  readonly #messages = new Set<string>();

  add(message: string, error: FieldError): this {
    if (!this.#messages.has(message)) {
      this.#messages.add(message);
      this.errors.push({ message, error });
    }
    return this;
  }

  merge(other: ValueResult): this {
    for (const { message, error } of other.errors) this.add(message, error);
    this.matchCount += other.matchCount;
    return this;
  }

  /** Forgets the errors, and keeps how much was checked. */
  forgive(): void {
    this.errors = [];
    this.#messages.clear();
  }

  get isValid(): boolean {
    return this.errors.length === 0;
  }
}
