import { Duration, Stack } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { AwsCustomResource, type AwsSdkCall, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import type { ResyncEvent } from '../../lambdas/functions/resync/parseResyncEvent.ts';
import type { Deployment, DeploymentParts } from './createDeploymentRole.ts';
import type { Functions } from './createFunctions.ts';
import type { FunctionParts } from './FunctionParts.ts';
import { restoreIdOf } from './restoreIdOf.ts';
import { LIVE } from './traffic/createAliases.ts';
import { shortHashOf } from './shortHashOf.ts';

/**
 * Makes `resync` queue every key after each deployment that changes code or configuration, so that the new rules are applied to all objects. The keys are spread over time: those of users and of the smoke test do not wait behind them. In a new control
 * plane, `resync` also creates the objects that every cluster has. If tables were restored, it first makes them fit each other, once. The construct ids must stay: other ids would replace the resources.
 */
export function resyncAfterDeployment(
  scope: Construct,
  { functions, invoked, props }: DeploymentParts,
  deployment: Deployment,
): void {
  const request = requestOf(props);
  const call: AwsSdkCall = {
    service: 'Lambda',
    action: 'invoke',
    parameters: {
      FunctionName: functions.resync.functionName,
      ...(props.traffic !== 'allAtOnce' && { Qualifier: LIVE }),
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
    ...deployment,
  });
  start.node.addDependency(...Object.values(functions), ...Object.values(invoked));
}

function requestOf(props: FunctionParts['props']): ResyncEvent {
  const id = restoreIdOf(props);
  return id === undefined ? { what: 'all', spread: { sent: 0 } } : { what: 'restored', id };
}

/** A hash of the functions' code (each asset's key is the hash of its content) and configuration, of what `resync` creates besides, and of the tables that were restored. */
function releaseOf(
  functions: Functions,
  { config, nodes, nodesJoin, smokeTest, restoredTables }: FunctionParts['props'],
): string {
  const code = Object.values(functions).map((one) => {
    const resource = one.node.defaultChild as CfnFunction;
    return Stack.of(resource).resolve(resource.code) as unknown;
  });
  return shortHashOf([code, config, nodes, nodesJoin, smokeTest, restoredTables]);
}
