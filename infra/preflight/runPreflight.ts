import { openAws } from './openAws.ts';
import type { PreflightOptions } from './parsePreflightOptions.ts';
import { planDeployment } from './planDeployment.ts';
import { readDeployContext } from './readDeployContext.ts';
import { knobsToSet, renderFindings } from './renderFindings.ts';
import { runChecks } from './runChecks.ts';

/** The report, and whether a deployment should work. */
export interface Report {
  readonly text: string;
  readonly isReady: boolean;
}

/**
 * Plans the deployment that `cdk deploy` would make with these options, and asks the account about all that it depends on. Throws a UsageError, a StackPropsError or a
 * ConfigError for input that `cdk deploy` would refuse, and for credentials that AWS refuses.
 */
export async function runPreflight({ context, profile, json }: PreflightOptions): Promise<Report> {
  const plan = await planDeployment(await readDeployContext(context));
  const { account, caller } = await openAws(profile);
  const deployment = { plan, caller };
  const findings = await runChecks(account, deployment);
  const isReady = findings.every(({ kind }) => kind !== 'wrong');
  const report = { stackName: plan.stackName, ...caller, isReady, set: knobsToSet(findings), findings };
  return { isReady, text: json ? `${JSON.stringify(report, undefined, 2)}\n` : renderFindings(findings, deployment) };
}
