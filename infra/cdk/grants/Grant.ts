import type { Condition } from './conditions.ts';
import type { Target } from './targets.ts';

type TableAction =
  | 'UpdateTable'
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem';
type StreamAction = 'GetShardIterator' | 'GetRecords' | 'DescribeStream' | 'ListStreams';
type QueueAction =
  | 'SendMessage'
  | 'ChangeMessageVisibility'
  | 'ReceiveMessage'
  | 'DeleteMessage'
  | 'GetQueueAttributes';
type Ec2Action =
  | 'DescribeInstances'
  | 'CreateNetworkInterface'
  | 'DescribeNetworkInterfaces'
  | 'DescribeSubnets'
  | 'DeleteNetworkInterface'
  | 'AssignPrivateIpAddresses'
  | 'UnassignPrivateIpAddresses';
type ImageAction = 'BatchCheckLayerAvailability' | 'GetDownloadUrlForLayer' | 'BatchGetImage' | 'GetAuthorizationToken';

type KeyAction = 'Encrypt' | 'Decrypt' | 'ReEncryptFrom' | 'ReEncryptTo' | 'GenerateDataKey' | 'DescribeKey';

/** An action as IAM names it. */
type Action =
  | `dynamodb:${TableAction | StreamAction}`
  | `sqs:${QueueAction}`
  | `ec2:${Ec2Action}`
  | `ecr:${ImageAction}`
  | `logs:${'CreateLogStream' | 'PutLogEvents'}`
  | `xray:${'PutTraceSegments' | 'PutTelemetryRecords'}`
  | `kms:${KeyAction}`
  | `apigateway:${'GET' | 'PATCH'}`
  | 'iam:PassRole'
  | 'cloudformation:DescribeStacks'
  | 'lambda:InvokeFunction';

/** A file of this repository and what makes the call in it: the function or class that the file is named after, or the one behind `#`. */
export type Caller = `${'infra' | 'lambdas'}/${string}`;

interface Reason {
  readonly actions: readonly Action[];
  readonly caller: Caller;
  /** Who makes the call for what `caller` sets up. Absent: `caller` makes the call itself. */
  readonly service?: 'Lambda' | 'ECS' | 'DynamoDB' | 'SQS' | "the CDK's function";
  /** What the call is for: a sentence. */
  readonly why: string;
  /** When the role has the permission. Absent: always. */
  readonly when?: Condition;
}

/** A permission of a role with its reason. The statements of the roles (`policyOf`) and the tables of `docs/permissions.md` are both made from grants. */
export type Grant =
  | (Reason & { readonly on: Exclude<Target, 'everything'> })
  /** `whyEverything`: why the permission cannot be for fewer resources. A sentence. */
  | (Reason & { readonly on: 'everything'; readonly whyEverything: string });
