import {
  daemonPodSpec,
  REVISION_HASH_LABEL,
  targetNodeName,
} from '../../../lambdas/controllers/daemonset/daemonPodTemplate.ts';
import { nodeShouldRunDaemonPod } from '../../../lambdas/controllers/daemonset/nodeShouldRunDaemonPod.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { DaemonSet, Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import { LENIENCY_MS } from './PodHistory.ts';
import type { Plans } from './Plans.ts';
import { isAvailable, podChangeOf, wasDeleted } from './podChanges.ts';

/** What is known of a daemon's pod, also when it is gone. */
interface Known {
  /** The last one: an orphan may be adopted by the next DaemonSet. */
  ownerUid: string;
  readonly node: string;
  /** Whether it ever counted as available. */
  wasAvailable: boolean;
  /** When it began to go, or was gone; milliseconds. */
  leftAtMs: number;
}

/** A state of a node, until the next one. */
interface NodeState {
  readonly untilMs: number;
  readonly node: Node | undefined;
}

/**
 * A node never gets a pod of a DaemonSet beside another one, not even beside one that is still being deleted; while it surges, it gets one beside a single pod of another revision. And the controller makes no more nodes
 * unavailable than `maxUnavailable` by deletes of its own, of those that are to have a pod: one that has been removed or tainted since has no pod to wait for, as in Kubernetes. While it surges, it takes an available pod away only where another one has become available.
 */
export class DaemonPods implements Check {
  readonly #world: World;
  readonly #plans: Plans;
  readonly #pods = new Map<string, Known>();
  readonly #nodes = new Map<string, NodeState[]>();
  /** The nodes that have been without an available pod since the controller deleted theirs, by the DaemonSet's UID. */
  readonly #emptied = new Map<string, Set<string>>();

  constructor(world: World, plans: Plans) {
    this.#world = world;
    this.#plans = plans;
  }

  onWrite(write: AuditedWrite, nowMs: number): string | undefined {
    const { writer, trail, change } = write;
    if (change.resource === 'nodes') this.#noteNode(change.before, change.after, nowMs);
    const podChange = podChangeOf(change);
    if (!podChange) return undefined;
    const { before, after } = podChange;
    this.#note(before, after, nowMs);
    if (writer !== 'daemonset' || !trail) return undefined;
    if (!before && after) return this.#judgeCreation(after, trail);
    return before && wasDeleted(podChange) ? this.#judgeDelete(before, trail, nowMs) : undefined;
  }

  #noteNode(before: Node | undefined, after: Node | undefined, nowMs: number): void {
    const { name } = (after ?? before)?.metadata ?? { name: '' };
    this.#nodes.set(name, [...(this.#nodes.get(name) ?? []), { untilMs: nowMs, node: before }]);
  }

  /** What the pod was until now counts, too: time may have made it available. */
  #note(before: Pod | undefined, after: Pod | undefined, nowMs: number): void {
    const pod = (after ?? before) as Pod;
    const owner = controllerOf(pod) ?? (before && controllerOf(before));
    const node = targetNodeName(pod);
    if (owner?.kind !== 'DaemonSet' || node === undefined) return;
    const { uid, deletionTimestamp } = pod.metadata;
    const known = this.#pods.get(uid) ?? { ownerUid: owner.uid, node, wasAvailable: false, leftAtMs: Infinity };
    known.ownerUid = owner.uid;
    known.wasAvailable ||= [before, after].some((one) => one !== undefined && this.#isAvailable(one, nowMs));
    if (!after || deletionTimestamp !== undefined) known.leftAtMs = Math.min(known.leftAtMs, nowMs);
    this.#pods.set(uid, known);
    if (known.wasAvailable && (known.leftAtMs === nowMs || known.leftAtMs === Infinity))
      this.#emptied.get(owner.uid)?.delete(node);
  }

  #isAvailable(pod: Pod, nowMs: number): boolean {
    const owner: DaemonSet | undefined = this.#world.byUid(controllerOf(pod)?.uid ?? '');
    return isAvailable(pod, owner?.spec?.minReadySeconds ?? 0, nowMs, LENIENCY_MS);
  }

  #isAvailableNow(podUid: string, nowMs: number): boolean {
    const pod: Pod | undefined = this.#world.byUid(podUid);
    return pod !== undefined && this.#isAvailable(pod, nowMs);
  }

  #judgeCreation(pod: Pod, { subject }: SyncTrail): string | undefined {
    const owner = controllerOf(pod);
    const daemonSet: DaemonSet | undefined = subject;
    if (!owner || daemonSet?.metadata.uid !== owner.uid) return `${nameOf(pod)} was created for nobody`;
    const node = targetNodeName(pod);
    const others = this.#world
      .podsOf(owner.uid)
      .filter((one) => one.metadata.uid !== pod.metadata.uid && targetNodeName(one) === node && !isPodTerminal(one));
    if (!surges(daemonSet))
      return others[0] && `${nameOf(pod)} was created beside ${nameOf(others[0])} on ${node}, without a surge`;
    const staying = others.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (staying.length > 1) return `${nameOf(pod)} is the third one on ${node}`;
    const hashOf = ({ metadata }: Pod) => metadata.labels?.[REVISION_HASH_LABEL];
    const twin = staying.find((one) => hashOf(one) === hashOf(pod));
    return twin && `${nameOf(pod)} has the revision of ${nameOf(twin)}, which is on ${node} already`;
  }

  /** Judged is the delete of an available pod on a node that fits, by the bound that its sync had read. */
  #judgeDelete(pod: Pod, trail: SyncTrail, nowMs: number): string | undefined {
    const planners = this.#plans.behind(pod.metadata.uid, trail);
    const node = targetNodeName(pod) ?? '';
    const ownerUid = controllerOf(pod)?.uid ?? '';
    const verdicts = planners.map((planner) => this.#judgeByPlanner(pod, node, ownerUid, planner, nowMs));
    const isFine = verdicts.some((verdict) => verdict === undefined);
    const isCounted = verdicts.every((verdict) => verdict !== 'not judged');
    if (isCounted) this.#emptied.set(ownerUid, (this.#emptied.get(ownerUid) ?? new Set()).add(node));
    if (isFine || !isCounted) return undefined;
    return verdicts[0];
  }

  #judgeByPlanner(pod: Pod, node: string, ownerUid: string, planner: SyncTrail, nowMs: number): string | undefined {
    const daemonSet: DaemonSet | undefined = planner.subject;
    if (daemonSet?.metadata.uid !== ownerUid || this.#wasUnfit(daemonSet, node, planner.beganMs)) return 'not judged';
    if (!isAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, planner.beganMs, -LENIENCY_MS)) return 'not judged';
    const others = [...this.#pods].filter(
      ([uid, one]) =>
        uid !== pod.metadata.uid && one.ownerUid === ownerUid && one.node === node && one.leftAtMs >= planner.beganMs,
    );
    const where = `${nameOf(pod)} on ${node} was deleted while it was available`;
    if (surges(daemonSet))
      return others.some(([uid, one]) => one.wasAvailable || this.#isAvailableNow(uid, nowMs))
        ? 'not judged'
        : `${where}, and no other one was, with a surge`;
    if (others.length > 0) return 'not judged';
    const emptied = [...(this.#emptied.get(ownerUid) ?? [])].filter(
      (one) => one !== node && this.#isEmpty(one, ownerUid, nowMs) && !this.#wasUnfit(daemonSet, one, planner.beganMs),
    );
    const bound = daemonSet.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 0;
    return emptied.length + 1 > Number(bound)
      ? `${where}, and the controller had taken away those of ${emptied.join(', ')} already: maxUnavailable is ${bound}`
      : undefined;
  }

  #isEmpty(node: string, ownerUid: string, nowMs: number): boolean {
    const pods = this.#world.podsOf(ownerUid).filter((pod) => targetNodeName(pod) === node);
    return !pods.some((pod) => this.#isAvailable(pod, nowMs));
  }

  /** Whether the node was not to have a pod at any time since then. */
  #wasUnfit(daemonSet: DaemonSet, name: string, sinceMs: number): boolean {
    const past = (this.#nodes.get(name) ?? []).filter(({ untilMs }) => untilMs >= sinceMs).map(({ node }) => node);
    const spec = daemonPodSpec(daemonSet);
    const states = [...past, this.#world.get<Node>('nodes', '', name)];
    return states.some((node) => !node || !nodeShouldRunDaemonPod(spec, node).shouldRun);
  }
}

function surges({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' && Number(rollingUpdate?.maxSurge ?? 0) > 0;
}
