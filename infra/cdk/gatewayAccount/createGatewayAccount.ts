import { join } from 'node:path';
import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bundledCode } from '../bundledCode.ts';
import { bundleEntry, ROOT } from '../bundleFunction.ts';
import { createLogGroup } from '../createFunctions.ts';
import type { FunctionParts } from '../FunctionParts.ts';
import type { Grant } from '../grants/Grant.ts';
import { policyOf } from '../grants/policyOf.ts';
import { WRITE_LOG } from '../grants/serviceGrants.ts';

const ENTRY = join(ROOT, 'infra', 'cdk', 'gatewayAccount', 'index.ts');

/**
 * Gives the account a role for API Gateway's logs, if it has none. All APIs of the region share the account's role, and CloudFormation's own resource would replace that of others. The role stays when the stack is deleted, since others may
 * use it by then.
 */
export function createGatewayAccount(scope: Construct, parts: FunctionParts): CustomResource {
  const role = new Role(scope, 'GatewayLogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
  });
  // Also when a first deployment fails: the account would keep the name of a role that is gone.
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  const settle = createFunction(scope, role, parts);
  return new CustomResource(scope, 'GatewayAccount', {
    resourceType: 'Custom::GatewayAccount',
    serviceToken: settle.functionArn,
    properties: { RoleArn: role.roleArn },
  });
}

/** What the function does, and what Lambda does for it. */
export const GATEWAY_ACCOUNT_GRANTS: readonly Grant[] = [
  WRITE_LOG,
  {
    actions: ['apigateway:GET', 'apigateway:PATCH'],
    on: 'gatewayAccount',
    caller: 'infra/cdk/gatewayAccount/index.ts#ACCOUNT',
    why: 'Asks whether the account has a role for the logs of API Gateway, and gives it one if not.',
  },
  {
    actions: ['iam:PassRole'],
    on: 'gatewayLogRole',
    caller: 'infra/cdk/gatewayAccount/index.ts#ACCOUNT',
    why: 'Hands that role to API Gateway.',
  },
];

function createFunction(scope: Construct, logRole: Role, parts: FunctionParts): LambdaFunction {
  const { props } = parts;
  const logGroup = createLogGroup(scope, 'GatewayAccountLog', parts);
  const targets = {
    ...parts,
    logGroup,
    gatewayAccountArn: Stack.of(scope).formatArn({ service: 'apigateway', account: '', resource: '/account' }),
    gatewayLogRoleArn: logRole.roleArn,
  };
  return new LambdaFunction(scope, 'GatewayAccountFunction', {
    description: 'Gives the account a role for the logs of API Gateway, at a deployment',
    runtime: new Runtime(props.runtime, RuntimeFamily.NODEJS),
    architecture: Architecture.ARM_64,
    code: bundledCode(ENTRY, (directory) => bundleEntry(ENTRY, 'gatewayAccount', directory, props.runtime)),
    handler: 'index.handler',
    timeout: Duration.minutes(3),
    role: new Role(scope, 'GatewayAccountRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: policyOf(GATEWAY_ACCOUNT_GRANTS, targets) },
    }).withoutPolicyUpdates(),
    logGroup,
  });
}
