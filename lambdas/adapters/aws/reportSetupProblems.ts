/** What is wrong with the stack or the account, and what its operator can do. */
interface SetupProblem {
  readonly problem: string;
  readonly whatToDo: string;
}

const DEPLOY_AGAIN = 'deploy the stack again, which repairs its roles';

/** What to do about the errors that stay until an operator acts, by their names. */
const ADVICE: Readonly<Record<string, string>> = {
  AccessDeniedException: `the function's role lacks a permission: ${DEPLOY_AGAIN}; if it is not changed there, look for a boundary or a policy of the organization`,
  AccessDenied: `the function's role lacks a permission: ${DEPLOY_AGAIN}; if it is not changed there, look for a boundary or a policy of the organization`,
  KMSAccessDeniedException: 'the role may not use the key that encrypts the table: allow it in the key`s policy',
  ResourceNotFoundException:
    'a table is missing: restore it from a backup and name it in restoredTables, or deploy the stack again if it is new',
  TableNotFoundException:
    'a table is missing: restore it from a backup and name it in restoredTables, or deploy the stack again if it is new',
  QueueDoesNotExist: 'a queue is missing: deploy the stack again, then invoke resync with {"what":"all"}',
  UnrecognizedClientException:
    'AWS does not accept the credentials: if somebody deleted the role, deploy the stack again',
  InvalidClientTokenId: 'AWS does not accept the credentials: if somebody deleted the role, deploy the stack again',
  ExpiredTokenException:
    'AWS does not accept the credentials any more: deploy the stack again, which starts new functions',
  RequestLimitExceeded:
    'the account`s throughput quota for on-demand tables is used up: ask for a higher one in Service Quotas',
};

/** Called for each request that fails because the stack or the account is not set up as it must be. */
export type OnSetupProblem = (problem: SetupProblem) => void;

/** Creates a middleware of the SDK's clients that reports the errors on which an operator must act. They stay errors of their requests. */
export function reportSetupProblems(onSetupProblem: OnSetupProblem) {
  return <Args, Result>(next: (args: Args) => Promise<Result>) =>
    async (args: Args): Promise<Result> => {
      try {
        return await next(args);
      } catch (error) {
        const problem = explainServiceError(error);
        if (problem) onSetupProblem(problem);
        throw error;
      }
    };
}

/** Returns what an operator can do about an error of DynamoDB or SQS; `undefined` for one that passes, or that the caller expects. Pure. */
export function explainServiceError(error: unknown): SetupProblem | undefined {
  const { name = '', message = '' } = error as { readonly name?: string; readonly message?: string };
  const whatToDo = ADVICE[name];
  return whatToDo === undefined ? undefined : { problem: `${name}: ${message}`, whatToDo };
}
