import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../topology.ts';
import { logicalName } from '../createFunctions.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';
import type { Invoked } from './createAliases.ts';

type Gradual = Exclude<DriftlessStackProps['traffic'], 'allAtOnce'>;

const CONFIGS: Readonly<Record<Gradual, ILambdaDeploymentConfig>> = {
  canary10Percent15Minutes: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  canary10Percent30Minutes: LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
  linear10PercentEvery3Minutes: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_3MINUTES,
};

/**
 * The alarms that stop every function's new release: what one function writes, another reads, so they go forward and back together. Those of single objects are not among them (DeadLetters, RetryingReplicaSets), since they stay until somebody mends the
 * object, and would hold up the release that does. Nor are those of throttling, which follow the load. CodeDeploy takes ten at most.
 */
export const GUARDS = ['ApiErrors', 'Errors', 'IteratorAge', 'GivenUp', 'SetupProblems'] as const;

/** Has CodeDeploy pass invocations to a function's new version bit by bit, and take them back if an alarm of `GUARDS` goes off. Functions that are invoked themselves have none. */
export function shiftGradually(
  scope: Construct,
  invoked: Invoked,
  { traffic }: Pick<DriftlessStackProps, 'traffic'>,
  alarms: ReadonlyMap<string, Alarm>,
): readonly LambdaDeploymentGroup[] {
  if (traffic === 'allAtOnce') return [];
  const application = new LambdaApplication(scope, 'Traffic');
  const role = new Role(scope, 'TrafficRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  });
  return Object.entries(invoked).map(([name, alias]) => {
    if (!(alias instanceof Alias)) throw new Error(`${name} has no alias`);
    return new LambdaDeploymentGroup(scope, `${logicalName(name as FunctionName)}Traffic`, {
      application,
      alias,
      role: role.withoutPolicyUpdates(),
      deploymentConfig: CONFIGS[traffic],
      alarms: GUARDS.map((id) => alarmOf(id, alarms)),
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  });
}

function alarmOf(id: string, alarms: ReadonlyMap<string, Alarm>): Alarm {
  const alarm = alarms.get(id);
  if (!alarm) throw new Error(`the stack has no alarm ${id}`);
  return alarm;
}
