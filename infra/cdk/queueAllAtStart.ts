import { Duration } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  AwsCustomResource,
  AwsCustomResourcePolicy,
  type AwsSdkCall,
  PhysicalResourceId,
} from 'aws-cdk-lib/custom-resources';
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ResyncRequest } from '../../lambdas/functions/resync/handler.ts';
import { createLogGroup, type Functions } from './createFunctions.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';

/**
 * Has `resync` look at every key after each deployment that changes a function's code or environment: what was decided by the old rules is decided anew, and a new
 * control plane is furnished with what every cluster has.
 */
export function queueAllAtStart(scope: Construct, functions: Functions, props: DriftlessStackProps): void {
  const request: ResyncRequest = { what: 'all' };
  const release = Object.values(functions).map((one) => releaseOf(one.node.defaultChild as CfnFunction));
  const call: AwsSdkCall = {
    service: 'Lambda',
    action: 'invoke',
    parameters: {
      FunctionName: functions.resync.functionName,
      InvocationType: 'Event',
      Payload: JSON.stringify(request),
      // Names the release, so that CloudFormation sees a change and calls again.
      ClientContext: Buffer.from(JSON.stringify({ release })).toString('base64'),
    },
    physicalResourceId: PhysicalResourceId.of('queue-all-at-start'),
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

/** The name of a function's code, which is a hash of it. */
function releaseOf(one: CfnFunction): string {
  const { s3Key } = Stack.of(one).resolve(one.code) as { s3Key?: string };
  return `${s3Key}`.slice(0, 12);
}
