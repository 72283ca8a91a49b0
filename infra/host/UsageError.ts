import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
/** Reports a mistake of the user, such as a wrong option. The message is one line, and the program ends with exit code 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.split('\n', 1)[0], options);
    this.name = 'UsageError';
  }
}

/** True if the user can correct the error, so that one line is enough to report it. Any other error is a defect and is reported with its stack. */
export function isUserError(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof DataDirectoryError;
}
