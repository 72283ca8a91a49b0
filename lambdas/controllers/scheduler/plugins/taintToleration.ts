import type { Taint } from 'kubernetes-types/core/v1.js';
import type { Node } from '../../../objects/kinds.ts';
import { type NodeOnlyPlugin, normalizeScores, type ScorePlugin } from '../framework/Plugin.ts';
import { tolerates } from './tolerates.ts';

const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Keeps pods from nodes with taints that they do not tolerate. */
export const taintToleration: NodeOnlyPlugin = {
  name: 'TaintToleration',
  prepare({ spec }) {
    return ({ node }) => {
      const taint = taintsOf(node).find((one) => !tolerates(spec.tolerations, one));
      if (!taint) return undefined;
      return { reasons: [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`], isResolvable: false };
    };
  },
};

/** Prefers the nodes with the fewest taints `PreferNoSchedule` that a pod does not tolerate. */
export const taintTolerationScore: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  score({ spec }, nodes) {
    const tolerations = spec.tolerations?.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
    const counts = nodes.map(({ node }) => {
      const preferred = node.spec?.taints?.filter(({ effect }) => effect === 'PreferNoSchedule') ?? [];
      return preferred.filter((taint) => !tolerates(tolerations, taint)).length;
    });
    return counts.every((count) => count === 0) ? undefined : normalizeScores(counts, true);
  },
};

/** Returns the taints that keep pods away. A node that is not Ready counts as if it had the taint that the node controller adds a moment later. Pure. */
function taintsOf({ spec, status }: Node): readonly Taint[] {
  const taints = (spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
  return isReady || taints.some(({ key }) => key === NOT_READY.key) ? taints : [...taints, NOT_READY];
}
