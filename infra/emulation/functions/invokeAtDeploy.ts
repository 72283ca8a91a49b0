import type { FunctionPool } from './deployFunctions.ts';
import { readDeployInvocations } from '../template/readTriggers.ts';
import type { TemplateResolver } from '../template/Template.ts';

/** Invokes what the template's custom resources invoke at a deployment. Rejects with the first failure. */
export async function invokeAtDeploy(template: TemplateResolver, functions: FunctionPool): Promise<void> {
  for (const { functionName, payload } of readDeployInvocations(template)) {
    const outcome = await functions.get(functionName).invoke(payload);
    if (outcome.status === 'returned') continue;
    const why = outcome.status === 'failed' ? (outcome.failure.trace?.join('\n') ?? outcome.failure.errorMessage) : '';
    throw new Error(`${functionName} failed at the deployment: ${why}`);
  }
}
