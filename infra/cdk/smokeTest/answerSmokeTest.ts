import type { DeploymentAnswer } from '../answerDeployment.ts';
import type { SmokeTestOutcome } from './runSmokeTest.ts';

export interface SmokeTestDeployment {
  /** What CloudFormation does with the resource of the smoke test. */
  readonly requestType: 'Create' | 'Update' | 'Delete';
  readonly run: () => Promise<SmokeTestOutcome>;
  /** The status of the stack: `UPDATE_IN_PROGRESS`. Rejects if CloudFormation does not say. */
  readonly stackStatus: () => Promise<string>;
  /** Why only a part of the test is run; empty for all of it. */
  readonly because: string;
}

/** What a user can do who has to deploy although the test fails. */
const WITHOUT = '-c driftless:smokeTest=false deploys without this test.';

/**
 * Runs the smoke test if this is a deployment, and answers CloudFormation. Never rejects.
 *
 * A failure rolls the deployment back. During a rollback CloudFormation updates this resource again, with its properties of before, and nothing in that request says so: only the stack's status does. A failure then would leave the
 * stack in UPDATE_ROLLBACK_FAILED, which people have to mend. So an update fails only if the stack says, after the test, that it is being updated. A creation has no such danger: what follows it is a deletion.
 */
export async function answerSmokeTest(deployment: SmokeTestDeployment): Promise<DeploymentAnswer> {
  const { requestType, run, because } = deployment;
  if (requestType === 'Delete') return passed('not run: the test is being removed');
  const before = requestType === 'Create' ? 'deploying' : await phaseOf(deployment);
  if (before === 'rolling back') return passed('not run: the deployment is being rolled back');
  const outcome = await run();
  if (outcome.status === 'passed') return passed(passedText(outcome.tookMs, because));
  const after = requestType === 'Create' ? 'deploying' : await phaseOf(deployment);
  if (after === 'deploying') {
    return { Status: 'FAILED', Reason: `The smoke test failed. ${outcome.why}. ${WITHOUT}` };
  }
  return passed(`failed, but did not stop the deployment, which is ${after}: ${outcome.why}`);
}

function passedText(tookMs: number, because: string): string {
  const took = `passed in ${(tookMs / 1000).toFixed(1)} s`;
  return because === '' ? took : `${took}, without waiting for pods: ${because}`;
}

function passed(outcome: string): DeploymentAnswer {
  // CloudFormation takes 4,096 bytes.
  return { Status: 'SUCCESS', Data: { Outcome: outcome.slice(0, 1_000) } };
}

type Phase = 'deploying' | 'rolling back' | 'in a state that CloudFormation does not tell';

async function phaseOf({ stackStatus }: SmokeTestDeployment): Promise<Phase> {
  try {
    const status = await stackStatus();
    if (status === 'UPDATE_IN_PROGRESS' || status === 'CREATE_IN_PROGRESS') return 'deploying';
    return 'rolling back';
  } catch {
    return 'in a state that CloudFormation does not tell';
  }
}
