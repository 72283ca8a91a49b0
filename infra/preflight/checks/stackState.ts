import type { ExistingStack } from '../AccountReads.ts';
import { advice, type Check, ok, type Verdict, wrong } from '../Check.ts';

/** How the descriptions of our stacks begin; see DriftlessStack. */
const DESCRIPTION = 'Driftless:';

/** Whether there is a stack of this name, and whether it can be updated: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
export const stackState: Check<ExistingStack | undefined> = {
  name: 'stack',
  observe: (account, { plan }) => account.stack(plan.stackName),
  decide: (stack, { plan: { stackName } }) => {
    if (!stack) return ok(`There is no stack ${stackName} yet: it will be created.`);
    if (!stack.description.startsWith(DESCRIPTION)) {
      return wrong(`Set \`stackName\` to another name: the stack ${stackName} exists and is not of Driftless.`);
    }
    return decideStatus(stackName, stack.status);
  },
};

/** What `cdk deploy` does with a stack in this state, and what has to be done before. */
function decideStatus(stackName: string, status: string): Verdict {
  const is = `the stack ${stackName} is in ${status}`;
  switch (status) {
    case 'CREATE_COMPLETE':
    case 'UPDATE_COMPLETE':
    case 'UPDATE_ROLLBACK_COMPLETE':
    case 'IMPORT_COMPLETE':
    case 'IMPORT_ROLLBACK_COMPLETE':
      return ok(`It will be updated: ${is}.`);
    case 'REVIEW_IN_PROGRESS':
      return ok(`It will be created: ${is}, so it has no resources yet.`);
    case 'ROLLBACK_COMPLETE':
    case 'ROLLBACK_FAILED':
      return advice(
        `\`cdk deploy\` deletes it and creates it anew: ${is}, since its creation failed. If it is protected, as with removalPolicy "destroy", run \`aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName}\` before.`,
      );
    case 'UPDATE_ROLLBACK_FAILED':
      return wrong(`Run \`aws cloudformation continue-update-rollback --stack-name ${stackName}\`: ${is}.`);
    case 'CREATE_FAILED':
    case 'UPDATE_FAILED':
      return wrong(`Run \`npx cdk rollback\`: ${is}.`);
    case 'DELETE_FAILED':
      return wrong(`Run \`aws cloudformation delete-stack --stack-name ${stackName}\` and see what stays: ${is}.`);
    default:
      return wrong(`Wait until it is done: ${is}.`);
  }
}
