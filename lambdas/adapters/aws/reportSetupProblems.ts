import { explainServiceError, type SetupProblem } from './explainServiceError.ts';

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
