import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
/** The program was asked for something that it cannot do; its message is one line for the user, and the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.split('\n', 1)[0], options);
    this.name = 'UsageError';
  }
}

/** True for what the user can do something about, which one line tells; anything else is a defect and keeps its stack. */
export function isUserError(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof DataDirectoryError;
}
