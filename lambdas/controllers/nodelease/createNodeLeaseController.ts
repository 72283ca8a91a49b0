import type { Node } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import { isSilence } from './decideRenewals.ts';
import { LEASE_NAMESPACE } from '../nodelifecycle/keysForChange.ts';
import { syncNodeLeases } from './syncNodeLeases.ts';

/** All simulated nodes have one key, so their leases are renewed together. */
const KEY: WorkKey = { controller: 'nodelease', namespace: LEASE_NAMESPACE, name: 'simulated' };

/**
 * Shows that simulated nodes are alive, as their kubelets would, to a node lifecycle controller that is not ours. `paceMs`: how often each lease is renewed. Nothing of this runs beside our own, which asks simulated
 * nodes for no sign of life.
 */
export function createNodeLeaseController(paceMs: number): Controller<SyncContext> {
  return {
    name: 'nodelease',
    resources: ['nodes'],
    watches: ['nodes'],
    keysFor: (change) => keysForChange(change, paceMs),
    keysToResync: (node) => (isSimulatedNode(node) ? [KEY] : []),
    sync: (_, context) => syncNodeLeases(paceMs, context),
  };
}

function keysForChange({ before, after }: Change, paceMs: number): readonly KeyToSend[] {
  const node: Node | undefined = after;
  if (!node || !isSimulatedNode(node)) return [];
  if (!before) return [{ key: KEY, delayMs: paceMs }];
  return (node.status?.conditions ?? []).some(isSilence) ? [{ key: KEY }] : [];
}
