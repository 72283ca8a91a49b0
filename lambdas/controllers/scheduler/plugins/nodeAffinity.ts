import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from 'kubernetes-types/core/v1.js';
import type { Node } from '../../../objects/kinds.ts';
import { parseInteger } from '../../../objects/selectors/labelRequirement.ts';
import { type Misfit, type NodeOnlyPlugin, normalizeScores, type ScorePlugin } from '../framework/Plugin.ts';

const MISFIT: Misfit = { reasons: ["node(s) didn't match Pod's node affinity/selector"], isResolvable: false };

/** Keeps pods from nodes without the labels that their selector and their affinity require. */
export const nodeAffinity: NodeOnlyPlugin = {
  name: 'NodeAffinity',
  prepare({ spec }) {
    if (!spec.nodeSelector && !requiredTerms(spec)) return undefined;
    return ({ node }) => (matchesRequiredNodeAffinity(spec, node) ? undefined : MISFIT);
  },
};

/** Prefers the nodes that match the pod's preferred terms: the sum of the terms' weights. */
export const nodeAffinityScore: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  score({ spec }, nodes) {
    const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    const sums = nodes.map(({ node }) =>
      preferred.reduce((sum, { weight, preference }) => sum + (matchesTerm(preference, node) ? weight : 0), 0),
    );
    return normalizeScores(sums);
  },
};

/** Whether the node has what the pod's nodeSelector and its required node affinity ask for. Pure. */
export function matchesRequiredNodeAffinity(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  return selected && matchesNodeSelectorTerms(requiredTerms(spec), node);
}

/** Returns the names of the only nodes that the pod may go to, if each of its terms names some, as those of a daemon's pods do: the plugin's `PreFilter`. `undefined`: it may go anywhere. Pure. */
export function requiredNodeNames(spec: PodSpec): ReadonlySet<string> | undefined {
  const terms = requiredTerms(spec) ?? [];
  const names = terms.map(({ matchFields = [] }) =>
    matchFields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In'),
  );
  return names.length === 0 || names.includes(undefined)
    ? undefined
    : new Set(names.flatMap((one) => one?.values ?? []));
}

/** Whether one of the terms matches the node; also if there is no selector at all. Pure. */
export function matchesNodeSelectorTerms(terms: readonly NodeSelectorTerm[] | undefined, node: Node): boolean {
  return !terms || terms.some((term) => matchesTerm(term, node));
}

function requiredTerms({ affinity }: PodSpec): readonly NodeSelectorTerm[] | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
}

/** True if all requirements of the term hold. An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => meets(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => requirement.key === 'metadata.name' && meets(requirement, metadata.name))
  );
}

function meets({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compare(value, values[0]) > 0;
    case 'Lt':
      return compare(value, values[0]) < 0;
    default:
      return false;
  }
}

/** Compares two integers; 0 if either text is not an integer. */
function compare(value: string | undefined, bound: string | undefined): number {
  const [a, b] = [parseInteger(value), parseInteger(bound)];
  if (a === undefined || b === undefined || a === b) return 0;
  return a > b ? 1 : -1;
}
