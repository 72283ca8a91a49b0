import { SyncHistory } from '../../../lambdas/explain/SyncHistory.ts';
import type { Explanation, RolloutExplanation } from '../../../lambdas/explain/Explanation.ts';
import { explainRollout } from '../../../lambdas/controllers/deployment/explainRollout.ts';
import { waitsInWords } from '../../../lambdas/explain/waitsInWords.ts';
import { stuckPods } from '../../../lambdas/explain/stuckPods.ts';
import type { ClusterMirror } from './ClusterMirror.ts';

/** Why a workload is in its state. `isOwn`: the server that runs the controllers says it; otherwise it is computed from what the API shows. */
export interface WhyView {
  readonly isOwn: boolean;
  readonly nowMs: number;
  readonly rollout?: Omit<RolloutExplanation, 'replicaSetSyncs'>;
  readonly stuckPods: Explanation['stuckPods'];
  /** What the last sync decided and wrote, and when. */
  readonly lastSync?: {
    readonly beganAtMs: number;
    readonly why: readonly string[];
    readonly writes: readonly string[];
  };
  /** What the last traced change has waited for, as a sentence. */
  readonly waited?: string;
}

/** Asks the server, and computes what it cannot say. `undefined`: there is no such Deployment. */
export async function explainRolloutOf(
  mirror: ClusterMirror,
  namespace: string,
  name: string,
): Promise<WhyView | undefined> {
  return (mirror.explainsItself && (await ownAnswerOf(mirror, namespace, name))) || computed(mirror, namespace, name);
}

/** Another server is asked until it has once answered that it does not know such a path, or that this user may not ask; in the cloud, an unneeded request each second costs money. */
async function ownAnswerOf(mirror: ClusterMirror, namespace: string, name: string): Promise<WhyView | undefined> {
  const path = `/debug/explain/deployment/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const response = await mirror.send(path, { headers: { accept: 'application/json' } });
  const text = await response.text();
  // Ours, too, answers 404 for a Deployment that has just gone.
  const isUnknown = response.status === 404 && !text.includes('there is no such object');
  if (isUnknown || response.status === 403) mirror.explainsItself = false;
  return response.ok ? ownAnswer(text) : undefined;
}

/** Another server may answer anything to a path that it does not know. */
function ownAnswer(text: string): WhyView | undefined {
  try {
    const { nowMs, rollout, stuckPods, syncs, lastChange } = JSON.parse(text) as Partial<Explanation>;
    if (nowMs === undefined || !rollout || !stuckPods) return undefined;
    const [last] = syncs ?? [];
    return {
      isOwn: true,
      nowMs,
      rollout,
      stuckPods,
      ...(last && { lastSync: last }),
      ...(lastChange && { waited: waitsInWords(lastChange) }),
    };
  } catch {
    return undefined;
  }
}

function computed(mirror: ClusterMirror, namespace: string, name: string): WhyView | undefined {
  const { deployments, replicaSets: sets, pods: allPods } = mirror;
  // A part of the cluster explains nothing.
  if (![deployments, sets, allPods].every(({ isKnown }) => isKnown)) return undefined;
  const deployment = deployments.named(namespace, name);
  if (!deployment) return undefined;
  const replicaSets = sets.ownedBy(deployment.metadata.uid);
  const pods = replicaSets.flatMap(({ metadata }) => allPods.ownedBy(metadata.uid));
  const nowMs = mirror.nowMs();
  const rollout = explainRollout(deployment, replicaSets, pods, nowMs, new SyncHistory());
  return { isOwn: false, nowMs, rollout, stuckPods: stuckPods(pods) };
}
