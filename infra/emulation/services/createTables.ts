import { ACCOUNT, REGION, type TemplateResolver } from '../template/Template.ts';
import type { DynamoDbLocal } from './DynamoDbLocal.ts';

interface TableDescription {
  readonly TableDescription: { readonly TableName: string; readonly LatestStreamArn?: string };
}

/** What CreateTable takes as CloudFormation writes it. */
const SAME = ['AttributeDefinitions', 'KeySchema', 'LocalSecondaryIndexes', 'GlobalSecondaryIndexes', 'BillingMode'];

/**
 * Creates the template's tables, streams and times to live, under their logical ids. What the emulator has none of is left out: encryption, backups,
 * protection.
 */
export async function createTables(template: TemplateResolver, dynamoDb: DynamoDbLocal): Promise<void> {
  for (const [logicalId, properties] of template.resources('AWS::DynamoDB::Table')) {
    const read = template.resolve(properties) as Readonly<Record<string, unknown>> & {
      readonly StreamSpecification?: { readonly StreamViewType: string };
      readonly TimeToLiveSpecification?: unknown;
    };
    const { StreamSpecification: stream, TimeToLiveSpecification } = read;
    const { TableDescription: table } = await dynamoDb.call<TableDescription>('DynamoDB_20120810.CreateTable', {
      TableName: logicalId,
      ...Object.fromEntries(SAME.flatMap((name) => (read[name] === undefined ? [] : [[name, read[name]]]))),
      ...(stream && { StreamSpecification: { StreamEnabled: true, ...stream } }),
    });
    if (TimeToLiveSpecification) {
      await dynamoDb.call('DynamoDB_20120810.UpdateTimeToLive', { TableName: logicalId, TimeToLiveSpecification });
    }
    template.deployed(logicalId, {
      ref: logicalId,
      attributes: {
        Arn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${logicalId}`,
        ...(table.LatestStreamArn !== undefined && { StreamArn: table.LatestStreamArn }),
      },
    });
  }
}
