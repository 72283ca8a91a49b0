import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsCustomResource, type AwsSdkCall, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import type { ResyncEvent } from '../../lambdas/functions/resync/parseResyncEvent.ts';
import { createLogGroup, type Functions } from './createFunctions.ts';
import type { FunctionParts } from './FunctionParts.ts';
import type { Grant } from './grants/Grant.ts';
import { policyOf } from './grants/policyOf.ts';
import { WRITE_LOG } from './grants/serviceGrants.ts';
import { restoreIdOf } from './restoreIdOf.ts';
import { shortHashOf } from './shortHashOf.ts';

/** What the function of the CDK does that makes the call. With a role of its own it gets no managed policy, which would let it write any log. */
export const DEPLOYMENT_GRANTS: readonly Grant[] = [
  WRITE_LOG,
  {
    actions: ['lambda:InvokeFunction'],
    on: 'resync',
    caller: 'infra/cdk/resyncAfterDeployment.ts',
    service: "the CDK's function",
    why: 'Has every key queued after a deployment.',
  },
];

interface ResyncParts extends FunctionParts {
  readonly functions: Functions;
}

/**
 * Makes `resync` queue every key after each deployment that changes code or configuration, so that the new rules are applied to all objects. In a new control
 * plane, `resync` also creates the objects that every cluster has. If tables were restored, it first makes them fit each other, once. The construct ids must stay: other ids would replace the resources.
 */
export function resyncAfterDeployment(scope: Construct, parts: ResyncParts): void {
  const { functions, props } = parts;
  const request = requestOf(props);
  const logGroup = createLogGroup(scope, 'QueueAllAtStartLog', props);
  const call: AwsSdkCall = {
    service: 'Lambda',
    action: 'invoke',
    parameters: {
      FunctionName: functions.resync.functionName,
      InvocationType: 'Event',
      Payload: JSON.stringify(request),
    },
    // For CloudFormation, a new release is a new resource, so it makes the call again.
    physicalResourceId: PhysicalResourceId.of(`release-${releaseOf(functions, props)}`),
    outputPaths: ['StatusCode'],
  };
  const start = new AwsCustomResource(scope, 'QueueAllAtStart', {
    onCreate: call,
    onUpdate: call,
    installLatestAwsSdk: false,
    timeout: Duration.minutes(1),
    logGroup,
    role: createDeploymentRole(scope, parts, logGroup),
  });
  start.node.addDependency(...Object.values(functions));
}

function createDeploymentRole(scope: Construct, { functions, ...parts }: ResyncParts, logGroup: LogGroup): Role {
  const resyncArn = functions.resync.functionArn;
  return new Role(scope, 'QueueAllAtStartRole', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Own: policyOf(DEPLOYMENT_GRANTS, { ...parts, logGroup, resyncArn }) },
  });
}

function requestOf(props: FunctionParts['props']): ResyncEvent {
  const id = restoreIdOf(props);
  return id === undefined ? { what: 'all' } : { what: 'restored', id };
}

/** A hash of the functions' code (each asset's key is the hash of its content) and configuration, and of the tables that were restored. */
function releaseOf(functions: Functions, { config, nodes, nodesJoin, restoredTables }: FunctionParts['props']): string {
  const code = Object.values(functions).map((one) => {
    const resource = one.node.defaultChild as CfnFunction;
    return Stack.of(resource).resolve(resource.code) as unknown;
  });
  return shortHashOf([code, config, nodes, nodesJoin, restoredTables]);
}
