import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodReady, isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';

/** Who reports a pod's status from its containers alone. The simulated troubles have a writer of their own, and are a cause. */
const KUBELET = 'pod';

/** A pod's readiness never goes back without a cause, and no time in its status goes back at all, however far the workers' clocks differ. */
export class PodReadiness implements Check {
  onWrite({ writer, change }: AuditedWrite): string | undefined {
    if (writer !== KUBELET || change.resource !== 'pods' || change.type !== 'MODIFIED') return undefined;
    const { before, after } = change as unknown as { before: Pod; after: Pod };
    if (after.metadata.deletionTimestamp !== undefined || isPodTerminal(after)) return undefined;
    if (isPodReady(before) && !isPodReady(after) && restartsOf(before) === restartsOf(after) && isRunning(before))
      return `${nameOf(after)} was ready and is not any more, though its containers run on`;
    const back = (after.status?.conditions ?? []).find(({ type, lastTransitionTime = '' }) =>
      before.status?.conditions?.some(
        (one) => one.type === type && (one.lastTransitionTime ?? '') > lastTransitionTime,
      ),
    );
    return back && `the time of the condition ${back.type} of ${nameOf(after)} goes back to ${back.lastTransitionTime}`;
  }
}

function restartsOf({ status }: Pod): number {
  return (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function isRunning({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).every(({ state }) => state?.running !== undefined);
}
