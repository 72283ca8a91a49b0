import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from 'kubernetes-types/flowcontrol/v1.js';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';

const ALL = '*';
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/** True for a request that one of the schema's rules is about. The rules are those of apiserver's package `flowcontrol`. Pure. */
export function matchesFlowSchema({ rules = [] }: FlowSchemaSpec, info: RequestInfo, user: UserInfo): boolean {
  return rules.some((rule) => matchesRule(rule, info, user));
}

function matchesRule(rule: PolicyRulesWithSubjects, info: RequestInfo, user: UserInfo): boolean {
  if (!rule.subjects.some((subject) => matchesSubject(subject, user))) return false;
  return info.isResourceRequest
    ? (rule.resourceRules ?? []).some((one) => matchesResource(one, info))
    : (rule.nonResourceRules ?? []).some((one) => matchesPath(one, info));
}

function matchesSubject({ kind, user, group, serviceAccount }: Subject, { username, groups }: UserInfo): boolean {
  switch (kind) {
    case 'User':
      return user !== undefined && (user.name === ALL || user.name === username);
    case 'Group':
      return group !== undefined && (group.name === ALL || groups.includes(group.name));
    case 'ServiceAccount': {
      if (!serviceAccount) return false;
      const ofNamespace = `${SERVICE_ACCOUNT}${serviceAccount.namespace}:`;
      return serviceAccount.name === ALL
        ? username.startsWith(ofNamespace)
        : username === ofNamespace + serviceAccount.name;
    }
    default:
      return false;
  }
}

function matchesResource(rule: ResourcePolicyRule, info: RequestInfo): boolean {
  const { verb, group, resource, subresource, namespace } = info;
  const name = subresource === '' ? resource : `${resource}/${subresource}`;
  if (!names(rule.verbs, verb) || !names(rule.resources, name) || !names(rule.apiGroups, group)) return false;
  return namespace === '' ? rule.clusterScope === true : names(rule.namespaces ?? [], namespace);
}

function matchesPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  return names(verbs, verb) && nonResourceURLs.some((pattern) => isAtOrBelow(pattern, path));
}

/** A URL is also about all paths below it, with a star at its end or without. */
function isAtOrBelow(pattern: string, path: string): boolean {
  if (pattern === ALL || pattern === path) return true;
  const above = pattern.endsWith(ALL) ? pattern.slice(0, -1) : pattern;
  return path.startsWith(above.endsWith('/') ? above : `${above}/`);
}

/** A star stands for everything only where it is alone. */
function names(list: readonly string[], one: string): boolean {
  return (list.length === 1 && list[0] === ALL) || list.includes(one);
}
