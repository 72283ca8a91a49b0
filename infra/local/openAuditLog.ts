import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { FileAuditLog } from '../../lambdas/adapters/embedded/FileAuditLog.ts';
import { StreamAuditLog } from '../../lambdas/adapters/embedded/StreamAuditLog.ts';
import type { AuditLog } from '../../lambdas/ports/AuditLog.ts';
import type { AuditPolicy } from '../../lambdas/rest/audit/AuditPolicy.ts';
import type { AuditOptions } from '../../lambdas/rest/audit/beginAudit.ts';
import { AuditPolicyError, parseAuditPolicy } from '../../lambdas/rest/audit/parseAuditPolicy.ts';
import { UsageError } from '../host/UsageError.ts';
import { type AuditLogSettings, STANDARD_OUTPUT } from './AuditLogSettings.ts';
import type { Log } from './createHandlers.ts';

/** Of a list of tens of thousands of pods. A longer one is sent to the client, and not recorded. */
const MAX_OBJECT_CHARACTERS = 64 * 1024 * 1024;

/** Opens the audit log; `undefined` if the settings name no policy or no log, since kube-apiserver records nothing without both. Throws a UsageError for a policy that is wrong, or a file that cannot be written. */
export function openAuditLog(settings: AuditLogSettings, log: Log): AuditOptions | undefined {
  const { policyFile, logPath } = settings;
  const policy = policyFile === undefined ? undefined : readPolicy(policyFile);
  if (!policy || logPath === undefined) {
    const missing = policy ? '--audit-log-path' : '--audit-policy-file';
    log({ level: 'warn', msg: `no audit events are recorded without ${missing}` });
    return undefined;
  }
  return { policy, log: openLog(logPath, settings, log), maxObjectCharacters: MAX_OBJECT_CHARACTERS, remoteAddressOf };
}

function readPolicy(path: string): AuditPolicy {
  try {
    return parseAuditPolicy(readFileSync(path, 'utf8'));
  } catch (cause) {
    const isRead = cause instanceof AuditPolicyError;
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = isRead ? `${why}: from file ${path}` : `failed to read file path: ${why}`;
    throw new UsageError(`--audit-policy-file: loading audit policy file: ${message}`, { cause });
  }
}

function openLog(path: string, { maxSizeMb, maxBackups, maxAgeDays }: AuditLogSettings, report: Log): AuditLog {
  if (path === STANDARD_OUTPUT) return new StreamAuditLog(process.stdout, report);
  try {
    return new FileAuditLog({ path, maxSizeMb, maxBackups, maxAgeDays, clock: new SystemClock(), report });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--audit-log-path cannot be written: ${why}`, { cause });
  }
}

/** What the HTTP server passes alongside a request. */
function remoteAddressOf(environment: unknown): string | undefined {
  const { incoming } = Object(environment) as { readonly incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress;
}
