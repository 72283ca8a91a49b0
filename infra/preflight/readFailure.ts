import { type ReadFailure, ReadError } from './AccountReads.ts';

/** How the services say that IAM, or a policy of the organization, does not allow a call. */
const DENIED = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationError',
  'NotAuthorized',
  'UnauthorizedAccess',
  'UnauthorizedException',
  'UnauthorizedOperation',
]);

/** The host name of a service that the region does not have cannot be resolved. */
const NO_HOST = new Set(['ENOTFOUND', 'EAI_NONAME']);

/** Turns what the SDK throws into a ReadError of this action. Pure. */
export function readErrorOf(action: string, error: unknown): ReadError {
  const { name = 'Error', message = '', code } = error as { name?: string; message?: string; code?: string };
  return new ReadError(action, failureOf(name, code), {
    message: `${name}: ${message.split('\n', 1)[0]}`,
    cause: error,
  });
}

function failureOf(name: string, code: string | undefined): ReadFailure {
  if (DENIED.has(name)) return 'denied';
  return code !== undefined && NO_HOST.has(code) ? 'noService' : 'failed';
}
