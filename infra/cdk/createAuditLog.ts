import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { AuditPolicy } from '../../lambdas/rest/audit/AuditPolicy.ts';
import { AuditPolicyError, parseAuditPolicy } from '../../lambdas/rest/audit/parseAuditPolicy.ts';
import { removalPolicyOf } from './createTables.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { StackPropsError } from './parseProperty.ts';

/** The audit log of the API. */
export interface AuditLogParts {
  readonly logGroup: LogGroup;
  /** The policy as the API reads it: deflated JSON in base64. */
  readonly policy: string;
}

/** Who has asked for what. The probes of load balancers are left out, and that a request has come, since its end says the same. */
const METADATA: AuditPolicy = {
  omitStages: ['RequestReceived'],
  rules: [{ level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*'] }, { level: 'Metadata' }],
};

/** An environment has 4 KB for everything. A policy is compressed to about a fourth. */
const MAX_POLICY_BYTES = 1_500;

/** Creates the log group of the audit log; `undefined` if the stack has none. It stays when the stack is deleted, unless its tables do not. Throws a StackPropsError for a policy that cannot be used. */
export function createAuditLog(
  scope: Construct,
  props: DriftlessStackProps,
  encryptionKey: IKey | undefined,
): AuditLogParts | undefined {
  const { audit, auditLogRetentionDays } = props;
  if (audit === false) return undefined;
  const policy = encodePolicy(audit === 'metadata' ? METADATA : readPolicy(audit));
  const logGroup = new LogGroup(scope, 'AuditLog', {
    removalPolicy: removalPolicyOf(props),
    ...(encryptionKey && { encryptionKey }),
  });
  (logGroup.node.defaultChild as CfnLogGroup).retentionInDays = auditLogRetentionDays;
  return { logGroup, policy };
}

function readPolicy(path: string): AuditPolicy {
  try {
    return parseAuditPolicy(readFileSync(path, 'utf8'));
  } catch (error) {
    const why =
      error instanceof AuditPolicyError ? `loading audit policy file ${path}: ${error.message}` : String(error);
    throw new StackPropsError('audit', why);
  }
}

function encodePolicy({ rules, omitStages, omitManagedFields }: AuditPolicy): string {
  const text = deflateRawSync(JSON.stringify({ rules, omitStages, omitManagedFields })).toString('base64');
  if (text.length <= MAX_POLICY_BYTES) return text;
  throw new StackPropsError(
    'audit',
    `takes ${text.length} bytes when compressed; a function has room for ${MAX_POLICY_BYTES}`,
  );
}
