import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { DaemonSet, Pod } from '../../objects/kinds.ts';
import { isPodActive } from '../../objects/pods/podState.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { type CommittedReplicas, commitReplicas } from '../replicaset/commitReplicas.ts';
import type { PlannedDelete } from '../replicaset/getPodsToDelete.ts';
import type { PodControl } from '../replicaset/PodControl.ts';
import { type PlannedPlaces, plannedPods } from '../replicaset/plannedPods.ts';
import { unfinishedDeletes } from '../replicaset/settleIntent.ts';
import { createPodTemplate, templateForNode } from './daemonPodTemplate.ts';
import { type FailedPods, withBackoffs } from './failedPodsBackoff.ts';
import type { DaemonPlan } from './manageDaemons.ts';
import type { DaemonDelete } from './podsShouldBeOnNode.ts';

/** What a DaemonSet's key remembers. */
export interface DaemonMemory extends PlannedPlaces {
  /** How long the next failed pod of a node stays. */
  readonly failedPods?: FailedPods;
}

/** Returns what only this controller reads of an intent. Pure. */
export function memoryOf(intent: Intent | undefined): DaemonMemory {
  return intent?.memory ?? {};
}

/** Returns the intent of a plan: its creates and deletes, and what the key remembers of failed pods. `undefined` if there is nothing of that. Pure. */
export function intentOf(daemonSet: DaemonSet, plan: DaemonPlan, id: string, nowMs: number): Intent | undefined {
  const { creates, deletes, remembered } = plan;
  const failedPods = withBackoffs(
    daemonSet,
    remembered,
    deletes.flatMap(({ backoff }) => backoff ?? []),
  );
  if (creates.length + deletes.length === 0 && !failedPods) return undefined;
  return {
    id,
    ownerUid: daemonSet.metadata.uid,
    atMs: nowMs,
    count: creates.length,
    deletes: deletes.map(plannedDelete),
    memory: { ...(creates.length > 0 && { nodes: creates }), ...(failedPods && { failedPods }) },
  };
}

/** Returns what stays of an intent when none of its requests can have an effect any more. Pure. */
export function withoutRequests(intent: Intent | undefined): Intent | undefined {
  const { failedPods } = memoryOf(intent);
  return intent && failedPods && { ...intent, count: 0, deletes: [], memory: { failedPods } };
}

/** Returns the template of a planned pod of this revision. */
export function templatesOf(daemonSet: DaemonSet, hash: string): PodControl['templateOf'] {
  const template: PodTemplateSpec = createPodTemplate(daemonSet, hash);
  return ({ nodeName = '' }) => templateForNode(template, nodeName);
}

/** Creates and deletes the pods of the plan: `syncNodes`. */
export async function commitDaemonPods(
  control: PodControl,
  plan: DaemonPlan,
  intent: Intent | undefined,
): Promise<CommittedReplicas> {
  const committed = await commitReplicas(control, {
    burns: [],
    creates: intent ? plannedPods(intent, control.owner.metadata.name) : [],
    deletes: plan.deletes.map(plannedDelete),
    inherited: false,
  });
  const gone = plan.deletes.filter(({ pod }) => committed.deletedUids.has(pod.metadata.uid));
  const found = gone.flatMap((one) => eventOfEnded(control.owner as DaemonSet, one));
  return { ...committed, events: [...found, ...committed.events] };
}

/**
 * Finishes what an earlier sync recorded and did not clear, and nothing else: the names of pods that do not exist are burned, so that no create that is still under way puts a second pod on a node, and its deletes are carried
 * out. See `settleIntent`. No pod is created by an old intent: its node may not want one any more, and the next sync plans new ones.
 */
export async function settleDaemonIntent(
  control: PodControl,
  intent: Intent,
  listed: readonly Pod[],
): Promise<CommittedReplicas> {
  const open = openRequests(intent, control.owner.metadata.name, listed);
  return await commitReplicas(control, { ...open, creates: [], inherited: true });
}

/** Returns what an intent may still bring about: the pods that are not there yet, and the deletes that have not happened. Pure. */
export function openRequests(intent: Intent, ownerName: string, listed: readonly Pod[]) {
  const seen = new Set(listed.map(({ metadata }) => metadata.uid));
  return {
    burns: plannedPods(intent, ownerName).filter(({ uid }) => !seen.has(uid)),
    deletes: [...unfinishedDeletes(intent, listed.filter(isPodActive))],
  };
}

function plannedDelete({ pod, onlyIfUnchanged }: DaemonDelete): PlannedDelete {
  const { name, uid, resourceVersion } = pod.metadata;
  return { name, uid, ...(onlyIfUnchanged && { resourceVersion }) };
}

function eventOfEnded(regarding: DaemonSet, { pod, node, cause }: DaemonDelete): readonly EventToRecord[] {
  const { namespace = '', name } = pod.metadata;
  const found = (phase: string, will: string) =>
    `Found ${phase} daemon pod ${namespace}/${name} on node ${node}, will try to ${will} it`;
  if (cause === 'failed')
    return [{ regarding, type: 'Warning', reason: 'FailedDaemonPod', message: found('failed', 'kill') }];
  if (cause === 'succeeded')
    return [{ regarding, type: 'Normal', reason: 'SucceededDaemonPod', message: found('succeeded', 'delete') }];
  return [];
}
