import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { createLogGroup, type Functions } from './createFunctions.ts';
import { TABLES } from './createTables.ts';
import type { FunctionParts } from './FunctionParts.ts';
import type { Grant } from './grants/Grant.ts';
import { policyOf } from './grants/policyOf.ts';
import { WRITE_LOG } from './grants/serviceGrants.ts';
import type { TableName } from './TableName.ts';
import type { Invoked } from './traffic/createAliases.ts';

/** What the function of the CDK does that makes the calls at the end of a deployment. With a role of its own it gets no managed policy, which would let it write any log. */
export const DEPLOYMENT_GRANTS: readonly Grant[] = [
  WRITE_LOG,
  {
    actions: ['lambda:InvokeFunction'],
    on: 'resync',
    caller: 'infra/cdk/resyncAfterDeployment.ts',
    service: "the CDK's function",
    why: 'Has every key queued after a deployment.',
  },
  ...(Object.keys(TABLES) as TableName[]).map(
    (on): Grant => ({
      actions: ['dynamodb:UpdateTable'],
      on,
      caller: 'infra/cdk/protectTables.ts',
      service: "the CDK's function",
      why: 'Switches the deletion protection of the table.',
    }),
  ),
];

export interface DeploymentParts extends FunctionParts {
  readonly functions: Functions;
  readonly invoked: Invoked;
}

/** The role and the log of the CDK's function, which all custom resources share. */
export interface Deployment {
  readonly role: Role;
  readonly logGroup: LogGroup;
}

/** Creates the role of the calls that a deployment ends with. It allows what `DEPLOYMENT_GRANTS` lists, and nothing else. */
export function createDeploymentRole(scope: Construct, { invoked, ...parts }: DeploymentParts): Deployment {
  const logGroup = createLogGroup(scope, 'QueueAllAtStartLog', parts);
  const resyncArn = invoked.resync.functionArn;
  const role = new Role(scope, 'QueueAllAtStartRole', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Own: policyOf(DEPLOYMENT_GRANTS, { ...parts, logGroup, resyncArn }) },
  });
  return { role, logGroup };
}
