import { type AccountReads, ReadError } from './AccountReads.ts';
import type { Check, Deployment, Verdict, VerdictKind } from './Check.ts';
import { alarmReceiver } from './checks/alarmReceiver.ts';
import { logRole, throttling } from './checks/apiGateway.ts';
import { bootstrap } from './checks/bootstrap.ts';
import { concurrency } from './checks/concurrency.ts';
import { identities } from './checks/identities.ts';
import { alarmNames, apiName } from './checks/names.ts';
import { nodeNetwork, vpcQuota, zones } from './checks/network.ts';
import { runtime } from './checks/runtime.ts';
import { stackState } from './checks/stackState.ts';
import { restoredTables, warmThroughput } from './checks/tables.ts';
import { workers } from './checks/workers.ts';

/** One line of the report. */
export interface Finding {
  readonly check: string;
  /** `unchecked`: AWS did not answer what the check asks. */
  readonly kind: VerdictKind | 'unchecked';
  readonly message: string;
  /** The knobs that should be set, with their values. */
  readonly set?: Verdict['set'];
}

/** Makes the type of a check's facts its own affair. */
function runner<Facts>(check: Check<Facts>) {
  return {
    applies: ({ plan }: Deployment) => check.appliesTo?.(plan) ?? true,
    async run(account: AccountReads, deployment: Deployment): Promise<Finding> {
      try {
        return { check: check.name, ...check.decide(await check.observe(account, deployment), deployment) };
      } catch (error) {
        if (error instanceof ReadError) return { check: check.name, ...unanswered(error, deployment) };
        throw error;
      }
    },
  };
}

/** The checks, in the order of the report: what stops every deployment comes first. */
const CHECKS = [
  runner(bootstrap),
  runner(stackState),
  runner(runtime),
  runner(concurrency),
  runner(identities),
  runner(logRole),
  runner(throttling),
  runner(apiName),
  runner(alarmReceiver),
  runner(alarmNames),
  runner(zones),
  runner(vpcQuota),
  runner(nodeNetwork),
  runner(workers),
  runner(restoredTables),
  runner(warmThroughput),
];

/** Runs the checks that concern this deployment. A call without an answer takes away its own check alone. */
export async function runChecks(account: AccountReads, deployment: Deployment): Promise<readonly Finding[]> {
  return Promise.all(CHECKS.filter((one) => one.applies(deployment)).map((one) => one.run(account, deployment)));
}

function unanswered(
  { action, failure, message }: ReadError,
  { caller }: Deployment,
): Pick<Finding, 'kind' | 'message'> {
  const service = action.split(':', 1)[0];
  switch (failure) {
    case 'denied':
      return { kind: 'unchecked', message: `Not checked: it needs the permission ${action}.` };
    case 'noService':
      return { kind: 'wrong', message: `Deploy to another region: ${caller.region} has no ${service}.` };
    case 'failed':
      return { kind: 'unchecked', message: `Not checked: ${action} failed with ${message}.` };
  }
}
