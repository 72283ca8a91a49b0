import type { Misfit } from './Plugin.ts';

/** Says why a pod fits no node, in the words of Kubernetes' `FitError`: `0/3 nodes are available: 3 Insufficient cpu.`, with how many nodes each reason concerns. Pure. */
export function fitError(total: number, misfits: Iterable<Misfit>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of misfits) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const histogram = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return unavailable(total, histogram.join(', '));
}

/** The same for a reason that concerns the pod on every node. Pure. */
export function unavailable(total: number, reason: string): string {
  const none = `0/${total} nodes are available:`;
  return reason === '' ? none : `${none} ${reason}.`;
}
