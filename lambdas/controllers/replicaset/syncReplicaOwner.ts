import type { WorkKey } from '../../ports/WorkKey.ts';
import { conclude } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { nextAvailableInMs } from './calculateStatus.ts';
import { claimPods } from './claimPods.ts';
import { type Burst, type BurstDeps, commitBursts } from './commitBursts.ts';
import { forgetOwner } from './forgetOwner.ts';
import { knownPods } from './KnownPods.ts';
import { observeReplicas } from './observeReplicas.ts';
import type { PodTallies } from './PodTallies.ts';
import { desiredReplicas, type ReplicaOwnerKind } from './ReplicaOwner.ts';
import { reasonInWords } from './replicaSetReasons.ts';

export interface SyncReplicaOwnerDeps extends BurstDeps {
  readonly tallies: PodTallies;
}

/**
 * The engine that `syncReplicaSet` and `syncReplicationController` share. Its steps: observe, claim pods, decide (`manageReplicas`), record the intent and commit, write the status. The
 * status is written even when creating or deleting failed, and says so. Then the failure is thrown, so that the key is retried with backoff. It is not written if the pods have changed since they were listed.
 */
export async function syncReplicaOwner(
  kind: ReplicaOwnerKind,
  deps: SyncReplicaOwnerDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const observed = await observeReplicas(context.registry, kind, key);
  if (!observed) {
    deps.tallies.forget(key);
    return await forgetOwner(key, context);
  }
  const tally = deps.tallies.tally(kind, observed.owner, observed.owned);
  const { claimed, writes: claims } = await claimPods(context.registry, kind, observed, tally);
  const bursts = await commitBursts(kind, deps, { observed, pods: knownPods(observed.owner, tally, claimed) }, context);
  const last = bursts.at(-1) as Burst;
  if (last.committed.failure) throw last.committed.failure;
  return {
    outcome: conclude({
      mustReobserve: last.status === 'conflict' || last.committed.mustReobserve,
      isCutShort: last.plan.lookAgain || last.committed.unfinished || last.status === 'notTried',
      delaysMs: [nextAvailableInMs(observed.owner, last.pods.active, context.nowMs)],
    }),
    why: bursts.flatMap(({ plan }) => plan.why.map(reasonInWords)),
    observed: { desired: desiredReplicas(observed.owner), active: claimed.length },
    writes: [
      ...claims,
      ...bursts.flatMap(({ committed, status }) => [
        ...committed.writes,
        ...(status === 'stored' ? [statusWrite(kind, key)] : []),
      ]),
    ],
  };
}

function statusWrite({ resource }: ReplicaOwnerKind, { namespace, name }: WorkKey): string {
  return `status of ${resource} ${namespace}/${name}`;
}
