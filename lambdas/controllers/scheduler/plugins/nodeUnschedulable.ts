import type { Misfit, NodeOnlyPlugin } from '../framework/Plugin.ts';
import { tolerates } from './tolerates.ts';

const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const MISFIT: Misfit = { reasons: ['node(s) were unschedulable'], isResolvable: false };

/** Keeps pods from cordoned nodes, unless they tolerate that. */
export const nodeUnschedulable: NodeOnlyPlugin = {
  name: 'NodeUnschedulable',
  prepare({ spec }) {
    const isTolerated = tolerates(spec.tolerations, UNSCHEDULABLE);
    return isTolerated ? undefined : ({ node }) => (node.spec?.unschedulable ? MISFIT : undefined);
  },
};
