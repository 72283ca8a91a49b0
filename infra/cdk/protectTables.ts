import { Duration } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { AwsCustomResource, type AwsSdkCall, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import type { Deployment, DeploymentParts } from './createDeploymentRole.ts';
import { TABLES } from './createTables.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { shortHashOf } from './shortHashOf.ts';

/**
 * Switches the tables' deletion protection on, or off if the user wants that, as the last step of a deployment. A table that is protected from its creation on cannot be removed when a first deployment fails: CloudFormation would leave all five
 * behind. Call it last: it waits for everything that is in the stack by then. Tables that were restored are not the stack's, and stay as they are.
 */
export function protectTables(
  scope: Construct,
  { tables, props }: Pick<DeploymentParts, 'tables' | 'props'>,
  deployment: Deployment,
): void {
  const own = Object.values(tables).filter((table) => table instanceof Table);
  if (own.length === 0) return;
  const everything = scope.node.children;
  const [first, ...others] = own.map((table) => {
    const call = callFor(table, props);
    return new AwsCustomResource(scope, `Protect${table.node.id}`, {
      onCreate: call,
      onUpdate: call,
      installLatestAwsSdk: false,
      timeout: Duration.minutes(1),
      ...deployment,
    });
  });
  first?.node.addDependency(...everything);
  for (const other of others) other.node.addDependency(first as Construct);
}

/** The call is made again when the template of the tables changes, since CloudFormation does not know of the protection. */
function callFor({ node, tableName }: Table, props: DriftlessStackProps): AwsSdkCall {
  const { deletionProtection, pointInTimeRecoveryDays, warmThroughput, tableEncryption, encryptionKey } = props;
  const made = shortHashOf([
    TABLES,
    deletionProtection,
    pointInTimeRecoveryDays,
    warmThroughput,
    tableEncryption,
    ...(encryptionKey === undefined ? [] : [encryptionKey]),
  ]);
  return {
    service: 'DynamoDB',
    action: 'updateTable',
    parameters: { TableName: tableName, DeletionProtectionEnabled: deletionProtection },
    physicalResourceId: PhysicalResourceId.of(`${node.id}-${made}`),
    outputPaths: ['TableDescription.TableName'],
    // Nothing has to be done for a table that is protected already, and no account has shown whether DynamoDB refuses that.
    ignoreErrorCodesMatching: 'ValidationException',
  };
}
