import { inflateRawSync } from 'node:zlib';
import { CloudWatchAuditLog, MAX_EVENT_BYTES } from '../../adapters/aws/audit/CloudWatchAuditLog.ts';
import { LogsClient } from '../../adapters/aws/audit/LogsClient.ts';
import type { AuditPolicy } from '../../rest/audit/AuditPolicy.ts';
import type { AuditOptions } from '../../rest/audit/beginAudit.ts';
import type { Cloud } from '../openCloud.ts';
import { type EnvironmentOf, NO_AUDIT } from '../readEnvironment.ts';
import type { ApiEnvironment } from './fromProxyEvent.ts';

/** The audit log in CloudWatch; `undefined` if the stack has none. */
export function composeAudit(
  { auditLogGroup, auditPolicy }: Pick<EnvironmentOf<'api'>, 'auditLogGroup' | 'auditPolicy'>,
  { dynamoDb, clock, ids, log, logsEndpoint }: Cloud,
): AuditOptions | undefined {
  if (auditLogGroup === NO_AUDIT) return undefined;
  const { config } = dynamoDb;
  const client = new LogsClient({
    region: config.region,
    credentials: config.credentials,
    endpoint: logsEndpoint,
    clock,
  });
  return {
    policy: decodeAuditPolicy(auditPolicy),
    log: new CloudWatchAuditLog({ client, logGroup: auditLogGroup, clock, ids, report: log }),
    maxObjectCharacters: MAX_EVENT_BYTES,
    remoteAddressOf: (environment) => (environment as Partial<ApiEnvironment> | undefined)?.remoteAddress,
  };
}

/** The stack has checked the policy, and compressed it, since an environment has little room. */
function decodeAuditPolicy(text: string): AuditPolicy {
  return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')) as AuditPolicy;
}
