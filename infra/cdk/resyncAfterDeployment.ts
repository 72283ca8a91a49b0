import { createHash } from 'node:crypto';
import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import {
  AwsCustomResource,
  AwsCustomResourcePolicy,
  type AwsSdkCall,
  PhysicalResourceId,
} from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import type { ResyncRequest } from '../../lambdas/functions/resync/createResyncHandler.ts';
import { createLogGroup, type Functions } from './createFunctions.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';

/**
 * Has `resync` look at every key after each deployment of other code or another configuration: what was decided by the old rules is decided anew, and a new
 * control plane is furnished with what every cluster has.
 */
export function resyncAfterDeployment(scope: Construct, functions: Functions, props: DriftlessStackProps): void {
  const request: ResyncRequest = { what: 'all' };
  const call: AwsSdkCall = {
    service: 'Lambda',
    action: 'invoke',
    parameters: {
      FunctionName: functions.resync.functionName,
      InvocationType: 'Event',
      Payload: JSON.stringify(request),
    },
    // Another release is another resource to CloudFormation, so it calls again.
    physicalResourceId: PhysicalResourceId.of(`release-${releaseOf(functions, props)}`),
    outputPaths: ['StatusCode'],
  };
  const start = new AwsCustomResource(scope, 'QueueAllAtStart', {
    onCreate: call,
    onUpdate: call,
    installLatestAwsSdk: false,
    timeout: Duration.minutes(1),
    logGroup: createLogGroup(scope, 'QueueAllAtStartLog', props),
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functions.resync.functionArn] }),
    ]),
  });
  start.node.addDependency(...Object.values(functions));
}

/** A name for the functions' code, which stands in the bucket under its own hash, and for what they are told. */
function releaseOf(functions: Functions, { config, nodes }: DriftlessStackProps): string {
  const code = Object.values(functions).map((one) => {
    const resource = one.node.defaultChild as CfnFunction;
    return Stack.of(resource).resolve(resource.code) as unknown;
  });
  const told = JSON.stringify([code, config, nodes]);
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}
