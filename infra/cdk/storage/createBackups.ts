import { Aws, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, type CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { FunctionParts } from '../FunctionParts.ts';

/** AWS Backup begins a backup within this time, and copies it when it is complete. */
const START_WINDOW = Duration.hours(1);
const COMPLETION_WINDOW = Duration.hours(12);

/** The policy of AWS that lets AWS Backup make and copy backups. */
export const BACKUP_POLICY = 'service-role/AWSBackupServiceRolePolicyForBackup';

/**
 * Has AWS Backup back up the objects once a day and copy each backup to the vault that the user names. The other tables need none, since `resync` makes them fit the objects. The vault of the stack stays when the stack is deleted: AWS deletes none
 * that holds backups. Returns the rule that matches each backup or copy that failed; `undefined` without copies.
 */
export function createBackups(
  scope: Construct,
  parts: Pick<FunctionParts, 'props' | 'tables' | 'encryptionKey'>,
): Rule | undefined {
  const { backupCopies } = parts.props;
  if (!backupCopies) return undefined;
  const { vaultArn, hour, retentionDays, localRetentionDays } = backupCopies;
  const backupVault = new BackupVault(scope, 'BackupVault', {
    backupVaultName: `driftless-${uniquePart()}`,
    ...(parts.encryptionKey && { encryptionKey: parts.encryptionKey }),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  (backupVault.node.defaultChild as CfnBackupVault).overrideLogicalId('BackupVault');
  const plan = new BackupPlan(scope, 'BackupPlan', { backupPlanName: Stack.of(scope).stackName, backupVault });
  plan.addRule(
    new BackupPlanRule({
      ruleName: 'daily',
      scheduleExpression: Schedule.cron({ minute: '0', hour: `${hour}` }),
      startWindow: START_WINDOW,
      completionWindow: COMPLETION_WINDOW,
      deleteAfter: Duration.days(localRetentionDays),
      copyActions: [
        {
          destinationBackupVault: BackupVault.fromBackupVaultArn(scope, 'CopyVault', vaultArn),
          deleteAfter: Duration.days(retentionDays),
        },
      ],
    }),
  );
  plan.addSelection('Objects', {
    resources: [BackupResource.fromArn(parts.tables.objects.tableArn)],
    role: createBackupRole(scope),
    disableDefaultBackupPolicy: true,
  });
  return matchFailures(scope, parts.tables.objects.tableArn);
}

/**
 * Has EventBridge count what AWS Backup reports of a backup or copy of the objects that failed, did not begin within its window, or was stopped (https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html). A rule without a target costs
 * nothing; an alarm reads how many events it matches.
 */
function matchFailures(scope: Construct, tableArn: string): Rule {
  return new Rule(scope, 'FailedBackups', {
    description: 'Backups of the objects, and their copies, that failed',
    eventPattern: {
      source: ['aws.backup'],
      detailType: ['Backup Job State Change', 'Copy Job State Change'],
      detail: { state: ['FAILED', 'EXPIRED', 'ABORTED'], resourceArn: [tableArn] },
    },
  });
}

/** The UUID in the stack's id. A vault that stays keeps its name, so the next stack of the same name needs another one. */
function uniquePart(): string {
  return Fn.select(2, Fn.split('/', Aws.STACK_ID));
}

function createBackupRole(scope: Construct): Role {
  return new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(BACKUP_POLICY)],
  });
}
