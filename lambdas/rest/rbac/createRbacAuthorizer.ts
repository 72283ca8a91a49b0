import type {
  AggregationRule,
  ClusterRole as ApiClusterRole,
  ClusterRoleBinding as ApiClusterRoleBinding,
  PolicyRule,
  RoleBinding as ApiRoleBinding,
  RoleRef,
} from 'kubernetes-types/rbac/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';
import { rulesAllow, subjectMatches } from './evaluateRules.ts';
import { EVERYTHING, MASTERS_GROUP, type UserInfo } from './UserInfo.ts';
import type { AccessAttributes } from './AccessAttributes.ts';
import { compileLabelSelector } from '../../objects/selectors/labelSelector.ts';

type ClusterRole = Stored<ApiClusterRole>;

type RoleBinding = Stored<ApiRoleBinding>;
type ClusterRoleBinding = Stored<ApiClusterRoleBinding>;

/** Decides who may do what. */
export interface Authorizer {
  allows(user: UserInfo, attributes: AccessAttributes): Promise<boolean>;
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

  async function clusterReferences(user: UserInfo): Promise<RoleRef[]> {
    const { items } = await registry.list<ClusterRoleBinding>(`clusterrolebindings.${RBAC}`);
    return items
      .filter(({ subjects = [] }) => subjects.some((subject) => subjectMatches(subject, user, '')))
      .map(({ roleRef }) => roleRef);
  }

  async function namespaceReferences(user: UserInfo, namespace: string): Promise<RoleRef[]> {
    if (namespace === '') return [];
    const { items } = await registry.list<RoleBinding>(`rolebindings.${RBAC}`, { namespace });
    return items
      .filter(({ subjects = [] }) => subjects.some((subject) => subjectMatches(subject, user, namespace)))
      .map(({ roleRef }) => roleRef);
  }

  async function rulesFor(user: UserInfo, namespace: string): Promise<readonly PolicyRule[]> {
    if (user.groups.includes(MASTERS_GROUP)) return EVERYTHING;
    const references = (await Promise.all([clusterReferences(user), namespaceReferences(user, namespace)])).flat();
    const distinct = new Map(references.map((reference) => [`${reference.kind}/${reference.name}`, reference]));
    const rules = await Promise.all([...distinct.values()].map((reference) => rulesOf(reference, namespace)));
    return rules.flatMap((some) => some ?? []);
  }

  return {
    rulesOf,
    rulesFor,
    async allows(user, attributes) {
      const rules = await rulesFor(user, attributes.path === undefined ? attributes.namespace : '');
      return rulesAllow(rules, attributes);
    },
  };
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
