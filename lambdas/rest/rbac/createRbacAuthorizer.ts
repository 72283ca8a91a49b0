import type {
  AggregationRule,
  ClusterRole as ApiClusterRole,
  ClusterRoleBinding as ApiClusterRoleBinding,
  PolicyRule,
  RoleBinding as ApiRoleBinding,
  RoleRef,
} from 'kubernetes-types/rbac/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Registry } from '../../registry/Registry.ts';
import { rulesAllow, subjectMatches } from './evaluateRules.ts';
import { EVERYTHING, MASTERS_GROUP, type UserInfo } from './UserInfo.ts';
import type { AccessAttributes } from './AccessAttributes.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';

type ClusterRole = Stored<ApiClusterRole>;

type RoleBinding = Stored<ApiRoleBinding>;
type ClusterRoleBinding = Stored<ApiClusterRoleBinding>;

/** Whether a user may do something, and why, in Kubernetes' words; `''` if there is nothing to say. */
export interface Verdict {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** A role that the user has, and the binding that gives it. */
interface Grant {
  readonly roleRef: RoleRef;
  readonly reason: () => string;
}

/** Decides who may do what. */
export interface Authorizer {
  allows(user: UserInfo, attributes: AccessAttributes): Promise<boolean>;
  /** As `allows`, with the reason for the audit log. */
  judge(user: UserInfo, attributes: AccessAttributes): Promise<Verdict>;
  /** All rules that apply to the user in the namespace; for `''`, those that apply in the whole cluster. */
  rulesFor(user: UserInfo, namespace: string): Promise<readonly PolicyRule[]>;
  /** Says why `rulesFor` does not know all rules that apply to the user. Absent, or `undefined`: it does. */
  missingRules?(user: UserInfo): string | undefined;
  /** The rules of the role that a binding refers to. `undefined` for a role that does not exist. */
  rulesOf(reference: RoleRef, namespace: string): Promise<readonly PolicyRule[] | undefined>;
}

const RBAC = 'rbac.authorization.k8s.io';

/** Creates an authorizer with Kubernetes' RBAC rules. It reads the stored roles and bindings for each request, so a deleted binding has no effect on the next request. */
export function createRbacAuthorizer(registry: Registry): Authorizer {
  async function rulesOf({ kind, name }: RoleRef, namespace: string): Promise<readonly PolicyRule[] | undefined> {
    const key =
      kind === 'Role'
        ? { resource: `roles.${RBAC}`, namespace, name }
        : { resource: `clusterroles.${RBAC}`, namespace: '', name };
    const role = await registry.get<ClusterRole>(key);
    if (!role?.aggregationRule) return role && (role.rules ?? []);
    return aggregateRules(role, (await registry.list<ClusterRole>(`clusterroles.${RBAC}`)).items);
  }

  async function clusterGrants(user: UserInfo): Promise<Grant[]> {
    const { items } = await registry.list<ClusterRoleBinding>(`clusterrolebindings.${RBAC}`);
    return items.flatMap((binding) => grantsOf(binding, user, ''));
  }

  async function namespaceGrants(user: UserInfo, namespace: string): Promise<Grant[]> {
    if (namespace === '') return [];
    const { items } = await registry.list<RoleBinding>(`rolebindings.${RBAC}`, { namespace });
    return items.flatMap((binding) => grantsOf(binding, user, namespace));
  }

  /** Reads each role once, however many bindings give it: the first one counts. */
  async function grantedRules(user: UserInfo, namespace: string) {
    const grants = (await Promise.all([clusterGrants(user), namespaceGrants(user, namespace)])).flat();
    const distinct = new Map<string, Grant>();
    for (const grant of grants) {
      const role = `${grant.roleRef.kind}/${grant.roleRef.name}`;
      if (!distinct.has(role)) distinct.set(role, grant);
    }
    return await Promise.all(
      [...distinct.values()].map(async ({ roleRef, reason }) => ({
        rules: (await rulesOf(roleRef, namespace)) ?? [],
        reason,
      })),
    );
  }

  async function rulesFor(user: UserInfo, namespace: string): Promise<readonly PolicyRule[]> {
    if (user.groups.includes(MASTERS_GROUP)) return EVERYTHING;
    return (await grantedRules(user, namespace)).flatMap(({ rules }) => rules);
  }

  async function judge(user: UserInfo, attributes: AccessAttributes): Promise<Verdict> {
    if (user.groups.includes(MASTERS_GROUP)) return { isAllowed: true, reason: '' };
    const granted = await grantedRules(user, attributes.path === undefined ? attributes.namespace : '');
    const found = granted.find(({ rules }) => rulesAllow(rules, attributes));
    return found ? { isAllowed: true, reason: `RBAC: allowed by ${found.reason()}` } : { isAllowed: false, reason: '' };
  }

  return { rulesOf, rulesFor, judge, allows: async (...asked) => (await judge(...asked)).isAllowed };
}

/** What a binding gives to a user: its role, or nothing. `namespace` is that of the binding, `''` for one of the cluster. Pure. */
function grantsOf(binding: RoleBinding | ClusterRoleBinding, user: UserInfo, namespace: string): Grant[] {
  const { metadata, roleRef, subjects = [] } = binding;
  const subject = subjects.find((one) => subjectMatches(one, user, namespace));
  if (!subject) return [];
  const [kind, name] =
    namespace === '' ? ['ClusterRoleBinding', metadata.name] : ['RoleBinding', `${metadata.name}/${namespace}`];
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const role = `${roleRef.kind} ${goQuote(roleRef.name)}`;
  return [{ roleRef, reason: () => `${kind} ${goQuote(name)} of ${role} to ${subject.kind} ${goQuote(who)}` }];
}

/**
 * Returns the rules of a role that others are added to: its own, and those of all roles that its selectors choose, each once. What is added to view is part of edit and of admin, because edit chooses view. Pure.
 * Kubernetes' controller writes these rules into the role; here they are collected on demand, so they are never stale.
 */
function aggregateRules(role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] {
  const reached = new Set([role]);
  // A Set also yields what is added while it is iterated.
  for (const { aggregationRule } of reached)
    if (aggregationRule) for (const chosen of chosenBy(aggregationRule, all)) reached.add(chosen);
  const rules = [...reached].flatMap(({ rules: some }) => some ?? []);
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function chosenBy({ clusterRoleSelectors = [] }: AggregationRule, all: readonly ClusterRole[]): readonly ClusterRole[] {
  const selectors = clusterRoleSelectors.map(compileLabelSelector);
  return all.filter(({ metadata }) => selectors.some((matches) => matches(metadata.labels ?? {})));
}
