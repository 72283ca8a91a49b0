import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queues } from '../createQueues.ts';
import { TABLES, type Tables } from '../createTables.ts';
import type { TableName } from '../TableName.ts';

/** What a permission is for. In IAM, the indexes and the stream of a table are resources of their own. */
export type Target =
  | TableName
  | 'objectIndexes'
  | 'keyIndexes'
  | 'objectStream'
  | 'workQueue'
  | 'deadLetterQueue'
  | 'givenUpQueue'
  | 'ownLog'
  | 'auditLog'
  | 'encryptionKey'
  | 'imageRepository'
  | 'resync'
  | 'gatewayAccount'
  | 'gatewayLogRole'
  | 'stack'
  | 'everything';

/** The parts of the stack that can be targets. A role that has no log or invokes no function leaves those out. */
export interface TargetParts {
  readonly tables: Tables;
  readonly queues: Queues;
  readonly logGroup?: LogGroup;
  readonly audit?: { readonly logGroup: LogGroup } | undefined;
  readonly encryptionKey?: IKey | undefined;
  readonly resyncArn?: string;
  readonly gatewayAccountArn?: string;
  readonly gatewayLogRoleArn?: string;
  readonly stackArn?: string;
}

/** Returns the ARNs of a target. Throws if the parts do not have it. */
export function targetArns(target: Target, { tables, queues, ...parts }: TargetParts): readonly string[] {
  switch (target) {
    case 'objectIndexes':
      return indexArns('objects', tables);
    case 'keyIndexes':
      return indexArns('keys', tables);
    case 'objectStream':
      return [required(target, tables.objects.tableStreamArn)];
    case 'workQueue':
      return [queues.work.queueArn];
    case 'deadLetterQueue':
      return [queues.deadLetters.queueArn];
    case 'givenUpQueue':
      return [queues.givenUp.queueArn];
    case 'ownLog':
      return [required(target, parts.logGroup?.logGroupArn)];
    case 'auditLog':
      return [required(target, parts.audit?.logGroup.logGroupArn)];
    case 'encryptionKey':
      return [required(target, parts.encryptionKey?.keyArn)];
    case 'resync':
      return [required(target, parts.resyncArn)];
    case 'gatewayAccount':
      return [required(target, parts.gatewayAccountArn)];
    case 'gatewayLogRole':
      return [required(target, parts.gatewayLogRoleArn)];
    case 'stack':
      return [required(target, parts.stackArn)];
    case 'imageRepository':
      throw new Error('the CDK names the repository of its images itself');
    case 'everything':
      return ['*'];
    case 'objects':
    case 'versions':
    case 'namespaces':
    case 'log':
    case 'keys':
      return [tables[target].tableArn];
    default:
      throw new Error('there is no such target', { cause: target satisfies never });
  }
}

function indexArns(name: TableName, tables: Tables): readonly string[] {
  const { indexes = [], globalIndexes = [] } = TABLES[name];
  return [...indexes, ...globalIndexes].map((index) => `${tables[name].tableArn}/index/${index.name}`);
}

function required(target: Target, arn: string | undefined): string {
  if (arn === undefined) throw new Error(`this role has no ${target}`);
  return arn;
}
