import type { EmulatedSts } from './identity/EmulatedSts.ts';
import { EmulatedSmokeTest } from './functions/EmulatedSmokeTest.ts';
import { type FunctionPool, lambdaVariables } from './functions/deployFunctions.ts';
import type { SharedParts } from './functions/ExecutionEnvironment.ts';
import { invokeAtDeploy } from './functions/invokeAtDeploy.ts';
import { type IsPermitted, nameRoles, readRoles } from './iam/isAllowed.ts';
import { createSmokeTestSession } from './identity/emulatedIdentities.ts';
import type { ServiceEndpoints } from './functions/deployFunctions.ts';
import { readFunctions } from './template/readFunctions.ts';
import { readSmokeTest } from './template/readSmokeTest.ts';
import type { SynthesizedStack } from './template/synthesizeStack.ts';
import type { TemplateResolver } from './template/Template.ts';

export type UpdateOutcome =
  | { readonly status: 'UPDATE_COMPLETE' }
  /** `why`: the reason of the resource that failed. Everything is as it was before. */
  | { readonly status: 'UPDATE_ROLLBACK_COMPLETE'; readonly why: string };

export interface UpdateParts {
  /** Of the stack as it was created: its tables, queues, API and triggers stay. */
  readonly template: TemplateResolver;
  readonly functions: FunctionPool;
  readonly sharedParts: Omit<SharedParts, 'variables'> & ServiceEndpoints;
  readonly sts: EmulatedSts;
  /** The URL of the API with its stage. */
  readonly apiUrl: string;
  readonly setPermissions: (isPermitted: IsPermitted) => void;
}

/**
 * Updates the functions of a running stack to those of `to`, as CloudFormation does: rights, then the code and the configuration of one function after the other while requests and messages go on, then what a deployment invokes, then
 * the smoke test. If one of them fails, all of it is done again with `from`. Tables, queues, triggers and the API stay as they were created. Rejects if the way back fails, too.
 */
export async function updateStack(
  parts: UpdateParts,
  from: SynthesizedStack,
  to: SynthesizedStack,
): Promise<UpdateOutcome> {
  try {
    await carryOut(parts, to, 'UPDATE_IN_PROGRESS');
    return { status: 'UPDATE_COMPLETE' };
  } catch (error) {
    await carryOut(parts, from, 'UPDATE_ROLLBACK_IN_PROGRESS');
    return { status: 'UPDATE_ROLLBACK_COMPLETE', why: error instanceof Error ? error.message : String(error) };
  }
}

async function carryOut(parts: UpdateParts, stack: SynthesizedStack, status: string): Promise<void> {
  const template = parts.template.withTemplate(stack.template);
  nameRoles(template);
  const specs = readFunctions(template, stack.assetPaths);
  const isPermitted = readRoles(template);
  parts.setPermissions(isPermitted);
  for (const spec of specs) await parts.functions.update(spec);
  await invokeAtDeploy(template, parts.functions);
  await runSmokeTest(parts, { template, stack, isPermitted }, status);
}

async function runSmokeTest(
  { sharedParts, sts, apiUrl }: UpdateParts,
  {
    template,
    stack,
    isPermitted,
  }: { readonly template: TemplateResolver; readonly stack: SynthesizedStack; readonly isPermitted: IsPermitted },
  status: string,
): Promise<void> {
  const spec = readSmokeTest(template, stack.assetPaths);
  if (!spec) return;
  const session = createSmokeTestSession(spec.role);
  sts.know(session);
  const variables = lambdaVariables(spec.function, sharedParts);
  const test = await EmulatedSmokeTest.open({
    spec,
    session,
    sharedParts: { ...sharedParts, variables },
    isPermitted,
    apiUrl,
  });
  try {
    const { Status, Reason } = await test.run('Update', status);
    if (Status === 'FAILED') throw new Error(Reason);
  } finally {
    await test.close();
  }
}
