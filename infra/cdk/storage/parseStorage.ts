import { type BackupCopies, DEFAULT_BACKUP_COPIES, type DriftlessStackProps } from '../DriftlessStackProps.ts';
import { integer, type Parse, parseFields, StackPropsError, text } from '../parseProperty.ts';

const KEY_ARN = /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-)?[0-9a-f-]{32,36}$/;

/** Validates the knob `encryptionKey`. An alias would not do: it could name another key at any time. Throws a StackPropsError. */
export const parseEncryptionKey: Parse<NonNullable<DriftlessStackProps['encryptionKey']>> = (value, path) => {
  if (value === 'create' || (typeof value === 'string' && KEY_ARN.test(value))) return value;
  throw new StackPropsError(path, `must be "create" or the ARN of a key in KMS, not ${JSON.stringify(value)}`);
};

const parseVaultArn = text(
  /^arn:[a-z-]+:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
  'the ARN of a vault of AWS Backup',
);

/** A century, which is what AWS Backup accepts. */
const MAX_RETENTION_DAYS = 36_500;

const TIMES: { readonly [K in keyof typeof DEFAULT_BACKUP_COPIES]: Parse<number> } = {
  hour: integer(0, 23),
  retentionDays: integer(1, MAX_RETENTION_DAYS),
  localRetentionDays: integer(1, MAX_RETENTION_DAYS),
};

/** Validates the knob `backupCopies`. Throws a StackPropsError. */
export const parseBackupCopies: Parse<BackupCopies> = (value, path) => {
  const fields = parseFields(value, path, ['vaultArn', ...Object.keys(TIMES)]);
  const times = Object.entries(TIMES)
    .filter(([name]) => fields[name] !== undefined)
    .map(([name, parse]) => [name, parse(fields[name], `${path}.${name}`)]);
  return {
    vaultArn: parseVaultArn(fields['vaultArn'], `${path}.vaultArn`),
    ...DEFAULT_BACKUP_COPIES,
    ...Object.fromEntries(times),
  };
};

/** Checks the knobs of what is stored together. Throws a StackPropsError. */
export function checkStorage({ encryptionKey, tableEncryption, backupCopies }: DriftlessStackProps): void {
  if (encryptionKey !== undefined && tableEncryption !== 'awsOwned') {
    throw new StackPropsError('tableEncryption', 'has no meaning with encryptionKey, which encrypts the tables, too');
  }
  if (backupCopies && encryptionKey === undefined) {
    throw new StackPropsError('backupCopies', 'needs encryptionKey: no other account can use a key of AWS');
  }
}
