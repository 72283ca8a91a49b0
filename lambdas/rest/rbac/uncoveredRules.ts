import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

/**
 * Which of `wanted` are not covered by `held`, broken into their smallest parts: nobody may grant what they do not have. A part is one verb on one
 * resource of one group (under one name), or one verb on one path. Pure. After Kubernetes' `validation.Covers`.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(atoms).filter((atom) => !held.some((rule) => covers(rule, atom)));
}

/** A rule without verbs, which validation refuses, has none. */
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
    // A held rule without names is about all of them; one with names covers only those.
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
