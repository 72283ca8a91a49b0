import type { AuditLevel, AuditStage } from '../../objects/audit/AuditEvent.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';

/** Resources of one group. `''` is the core group. */
export interface AuditedResources {
  readonly group?: string;
  // In a block comment, the pattern for a subresource of all resources would end it.
  // `pods`, `pods/log`, `pods/*`, `*/scale`, `*`. Empty: all of the group, with their subresources.
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** `audit.k8s.io/v1` PolicyRule. An empty list restricts nothing. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditedResources[];
  /** `''` is for what is in no namespace. */
  readonly namespaces?: readonly string[];
  /** Paths; the last character may be a star. */
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  /** Absent: as the policy says. */
  readonly omitManagedFields?: boolean;
}

/** `audit.k8s.io/v1` Policy. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** What is recorded of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** Says what the policy records of a request: its first rule that matches decides, and without one nothing is recorded. `user` is who sends the request, not whom it impersonates. Pure. */
export function decideAudit(policy: AuditPolicy, info: RequestInfo, user: UserInfo | undefined): AuditDecision {
  const { omitStages = [], omitManagedFields = false } = policy;
  const rule = policy.rules.find((one) => matchesRule(one, info, user));
  return {
    level: rule?.level ?? 'None',
    omitStages: [...omitStages, ...(rule?.omitStages ?? [])],
    omitManagedFields: rule?.omitManagedFields ?? omitManagedFields,
  };
}

function matchesRule(rule: AuditRule, info: RequestInfo, user: UserInfo | undefined): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  if (users.length > 0 && !(user && users.includes(user.username))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return matchesResource(rule, info);
  if (nonResourceURLs.length === 0) return true;
  return !info.isResourceRequest && nonResourceURLs.some((url) => matchesPath(url, info.path));
}

function matchesPath(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
}

function matchesResource({ namespaces = [], resources = [] }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((one) => includesResource(one, info));
}

function includesResource({ group = '', resources = [], resourceNames = [] }: AuditedResources, info: RequestInfo) {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  return resources.some((pattern) => matchesName(pattern, info));
}

/** `pods/*` is also for pods themselves, as Kubernetes reads it. */
function matchesName(pattern: string, { resource, subresource }: RequestInfo): boolean {
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  if (pattern === '*' || pattern === asked || pattern === `${resource}/*`) return true;
  return subresource !== '' && pattern === `*/${subresource}`;
}
