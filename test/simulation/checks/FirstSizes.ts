import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';
import type { Specs } from './Specs.ts';

/** How many pods a ReplicaSet could have by its spec and its status, from one of its writes to the next. */
interface SizeState {
  readonly fromMs: number;
  readonly ownerUid: string | undefined;
  readonly pods: number;
}

/**
 * A rolling update creates its new ReplicaSet with as many replicas as there is room for below the ceiling, as Kubernetes' NewRSNewReplicas says. It matters when a user has deleted the ReplicaSet that had this
 * template, and orphaned its pods: the new one adopts them, and deletes those that are above its size.
 *
 * The other ReplicaSets count by the most pods that their specs and statuses have named since the sync began, as it may have read any of these.
 */
export class FirstSizes implements Check {
  readonly #specs: Specs;
  /** By UID of the ReplicaSet. */
  readonly #states = new Map<string, SizeState[]>();

  constructor(specs: Specs) {
    this.#specs = specs;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource !== 'replicasets.apps') return undefined;
    const { before, after } = change as { before?: ReplicaSet; after?: ReplicaSet };
    const spec = trail?.subject && this.#specs.at(trail.subject);
    const isJudged = writer === 'deployment' && !before && spec?.strategy === 'RollingUpdate';
    const taken = isJudged ? this.#mostPodsOf(trail?.subject?.metadata.uid, trail?.beganMs ?? nowMs) : 0;
    this.#remember((after ?? before)?.metadata.uid ?? '', after, nowMs);
    if (!isJudged || !after) return undefined;
    const due = Math.min(spec.replicas, spec.ceiling - taken);
    const { replicas = 1 } = after.spec ?? {};
    return replicas >= due
      ? undefined
      : `${nameOf(after)} is created with ${replicas} replicas, but has room for ${due}`;
  }

  #remember(uid: string, replicaSet: ReplicaSet | undefined, fromMs: number): void {
    const { spec, status } = replicaSet ?? {};
    const pods = Math.max(spec?.replicas ?? 1, status?.replicas ?? 0);
    const ownerUid = replicaSet && controllerOf(replicaSet)?.uid;
    this.#states.set(uid, [...(this.#states.get(uid) ?? []), { fromMs, ownerUid, pods }]);
  }

  #mostPodsOf(ownerUid: string | undefined, sinceMs: number): number {
    const mosts = [...this.#states.values()].map((states) => {
      const recent = states.filter((_, index) => (states[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= sinceMs);
      return Math.max(0, ...recent.filter((state) => state.ownerUid === ownerUid).map(({ pods }) => pods));
    });
    return mosts.reduce((total, most) => total + most, 0);
  }
}
