import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

/**
 * The parts of `wanted` that `held` does not cover. A part is one verb on one resource of one group (and one name, if the rule has names), or one verb on one
 * path. Pure. Corresponds to Kubernetes' `validation.Covers`.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(atoms).filter((atom) => !held.some((rule) => covers(rule, atom)));
}

/** Breaks a rule into its parts. A rule without verbs, which validation refuses, has none. */
function atoms(rule: Partial<PolicyRule>): PolicyRule[] {
  const names = rule.resourceNames?.length ? rule.resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  const onResources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).flatMap((resource) =>
      names.map((name) => ({ apiGroups: [group], resources: [resource], ...name })),
    ),
  );
  const onPaths = (rule.nonResourceURLs ?? []).map((url) => ({ nonResourceURLs: [url] }));
  return [...onResources, ...onPaths].flatMap((what) => (rule.verbs ?? []).map((verb) => ({ ...what, verbs: [verb] })));
}

function covers(held: PolicyRule, atom: PolicyRule): boolean {
  const hasNames = (held.resourceNames?.length ?? 0) > 0;
  if (!hasAll(held.verbs, atom.verbs)) return false;
  if (atom.nonResourceURLs) return hasAllPaths(held.nonResourceURLs, atom.nonResourceURLs);
  return (
    hasAll(held.apiGroups, atom.apiGroups) &&
    hasAllResources(held.resources, atom.resources) &&
    // A held rule without names covers all names; a rule with names covers only those.
    (!hasNames || (atom.resourceNames !== undefined && hasAll(held.resourceNames, atom.resourceNames)))
  );
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes('*') || wanted.every((one) => held.includes(one));
}

function hasAllResources(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((one) => {
    const subresource = one.split('/')[1];
    return held.includes('*') || held.includes(one) || (subresource !== undefined && held.includes(`*/${subresource}`));
  });
}

function hasAllPaths(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((path) =>
    held.some((one) => one === '*' || one === path || (one.endsWith('*') && path.startsWith(one.slice(0, -1)))),
  );
}
