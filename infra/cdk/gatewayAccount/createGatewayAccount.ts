import { join } from 'node:path';
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bundledCode } from '../bundledCode.ts';
import { bundleEntry, ROOT } from '../bundleFunction.ts';
import { createLogGroup } from '../createFunctions.ts';
import { removalPolicyOf } from '../createTables.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

const ENTRY = join(ROOT, 'infra', 'cdk', 'gatewayAccount', 'index.ts');

/**
 * Gives the account a role for API Gateway's logs, if it has none. All APIs of the region share the account's role, and CloudFormation's own resource would replace that of others. The role stays when the stack is deleted, since others may
 * use it by then.
 */
export function createGatewayAccount(scope: Construct, props: DriftlessStackProps): CustomResource {
  const role = new Role(scope, 'GatewayLogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
  });
  role.applyRemovalPolicy(removalPolicyOf({ ...props, removalPolicy: 'retain' }));
  const settle = createFunction(scope, role, props);
  return new CustomResource(scope, 'GatewayAccount', {
    resourceType: 'Custom::GatewayAccount',
    serviceToken: settle.functionArn,
    properties: { RoleArn: role.roleArn },
  });
}

function createFunction(scope: Construct, role: Role, props: DriftlessStackProps): LambdaFunction {
  const logGroup = createLogGroup(scope, 'GatewayAccountLog', props);
  const account = Stack.of(scope).formatArn({ service: 'apigateway', account: '', resource: '/account' });
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  const statements = [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
    allow(['apigateway:GET', 'apigateway:PATCH'], [account]),
    allow(['iam:PassRole'], [role.roleArn]),
  ];
  return new LambdaFunction(scope, 'GatewayAccountFunction', {
    description: 'Gives the account a role for the logs of API Gateway, at a deployment',
    runtime: new Runtime(props.runtime, RuntimeFamily.NODEJS),
    architecture: Architecture.ARM_64,
    code: bundledCode(ENTRY, (directory) => bundleEntry(ENTRY, 'gatewayAccount', directory, props.runtime)),
    handler: 'index.handler',
    timeout: Duration.minutes(2),
    role: new Role(scope, 'GatewayAccountRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Own: new PolicyDocument({ statements }) },
    }).withoutPolicyUpdates(),
    logGroup,
  });
}
