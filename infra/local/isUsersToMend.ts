import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { UsageError } from './UsageError.ts';

/** True for what the user can do something about, which one line tells; anything else is a defect and keeps its stack. */
export function isUsersToMend(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof DataDirectoryError;
}
