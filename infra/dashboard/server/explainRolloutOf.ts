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
  const own = await ownAnswerOf(mirror, namespace, name);
  if (own?.isWhole) return own.view;
  const view = computed(mirror, namespace, name);
  return view && { ...view, ...(own?.view.waited !== undefined && { waited: own.view.waited }) };
}

/** `isWhole`: the server runs the syncs itself, and can be asked each second. In the cloud each request costs money, so there its answer is kept for a while, and what can be computed here is. */
interface OwnAnswer {
  readonly view: WhyView;
  readonly isWhole: boolean;
}

interface KeptAnswer {
  readonly answer: OwnAnswer;
  readonly askedAtMs: number;
}

const COSTLY_MS = 30_000;

/** What servers in the cloud have said, by path, and when they were asked. */
const costlyAnswers = new WeakMap<ClusterMirror, Map<string, KeptAnswer>>();

/** Another server is asked until it has once answered that it does not know such a path, or that this user may not ask. */
async function ownAnswerOf(mirror: ClusterMirror, namespace: string, name: string): Promise<OwnAnswer | undefined> {
  if (!mirror.explainsItself) return undefined;
  const path = `/debug/explain/deployment/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const kept = costlyAnswers.get(mirror) ?? new Map<string, KeptAnswer>();
  costlyAnswers.set(mirror, kept);
  const askedAtMs = mirror.nowMs();
  const known = kept.get(path);
  if (known && askedAtMs - known.askedAtMs < COSTLY_MS) return known.answer;
  const response = await mirror.send(path, { headers: { accept: 'application/json' } });
  const text = await response.text();
  // Ours, too, answers 404 for a Deployment that has just gone.
  const isUnknown = response.status === 404 && !text.includes('there is no such object');
  if (isUnknown || response.status === 403) mirror.explainsItself = false;
  const answer = response.ok ? ownAnswer(text) : undefined;
  if (answer && !answer.isWhole) kept.set(path, { answer, askedAtMs });
  return answer;
}

/** Another server may answer anything to a path that it does not know. */
function ownAnswer(text: string): OwnAnswer | undefined {
  try {
    const { nowMs, rollout, stuckPods, syncs, lastChange } = JSON.parse(text) as Partial<Explanation>;
    if (nowMs === undefined || !rollout || !stuckPods) return undefined;
    const [last] = syncs ?? [];
    const view: WhyView = {
      isOwn: true,
      nowMs,
      rollout,
      stuckPods,
      ...(last && { lastSync: last }),
      ...(lastChange && { waited: waitsInWords(lastChange) }),
    };
    return { view, isWhole: syncs !== undefined };
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
