import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1.js';
import type { UserInfo } from './UserInfo.ts';
import type { AccessAttributes } from './AccessAttributes.ts';

const ALL = '*';

/** True if one of the rules allows the action. Rules only allow; an action that no rule allows is forbidden. Pure. */
export function rulesAllow(rules: readonly PolicyRule[], attributes: AccessAttributes): boolean {
  return rules.some((rule) => ruleAllows(rule, attributes));
}

function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  if (attributes.path !== undefined) return pathMatches(rule.nonResourceURLs, attributes.path);
  return (
    includes(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources, attributes) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  );
}

function includes(allowed: readonly string[] | undefined, asked: string): boolean {
  return allowed?.some((one) => one === ALL || one === asked) === true;
}

/** True if the rule names the resource. `pods/log` names a subresource of pods; with a star instead of `pods`, of all resources. `pods` alone does not include its subresources. */
function resourceMatches(
  allowed: readonly string[] | undefined,
  { resource, subresource }: { resource: string; subresource: string },
): boolean {
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  return includes(allowed, asked) || (subresource !== '' && allowed?.includes(`${ALL}/${subresource}`) === true);
}

/** True if the rule names the path. `/healthz/*` names every path below `/healthz/`. */
function pathMatches(allowed: readonly string[] | undefined, path: string): boolean {
  return (
    allowed?.some((one) => one === ALL || one === path || (one.endsWith(ALL) && path.startsWith(one.slice(0, -1)))) ===
    true
  );
}

/** True if a binding's subject is this user. A service account subject without a namespace is looked for in `bindingNamespace`. */
export function subjectMatches(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return user.username === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace !== '' && user.username === `system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return false;
  }
}
