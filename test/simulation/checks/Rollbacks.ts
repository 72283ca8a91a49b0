import { ROLLBACK_TO } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import { templatesEqual } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/** How older API versions say that a Deployment has no progress deadline. */
export const NO_DEADLINE = 2_147_483_647;

/** An automatic rollback never undoes a rollout that was complete when its sync began, and never happens without a progress deadline. */
export class Rollbacks implements Check {
  readonly #world: World;
  /** When each ReplicaSet was last written, by UID. */
  readonly #writtenMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource === 'replicasets.apps' && change.after) this.#writtenMs.set(change.after.metadata.uid, nowMs);
    if (writer !== 'deployment' || change.resource !== 'deployments.apps' || change.type !== 'MODIFIED')
      return undefined;
    const { before, after } = change as unknown as { before: Deployment; after: Deployment };
    if (before.metadata.annotations?.[ROLLBACK_TO] !== undefined) return undefined;
    if (templatesEqual(before.spec?.template, after.spec?.template)) return undefined;
    if (before.spec?.progressDeadlineSeconds === NO_DEADLINE)
      return `${nameOf(after)} was rolled back automatically, though it has no progress deadline`;
    if (!trail || !this.#wasComplete(before, trail.beganMs)) return undefined;
    return `${nameOf(after)} was rolled back automatically, though its rollout was complete`;
  }

  /** As far as the ReplicaSets have not been written since. */
  #wasComplete(deployment: Deployment, atMs: number): boolean {
    const replicas = deployment.spec?.replicas ?? 1;
    const all = this.#world.replicaSetsOf(deployment);
    const current = this.#world.newReplicaSetOf(deployment);
    return (
      current !== undefined &&
      all.every(({ metadata }) => (this.#writtenMs.get(metadata.uid) ?? 0) < atMs) &&
      all.every((one) => one === current || ((one.spec?.replicas ?? 1) === 0 && (one.status?.replicas ?? 0) === 0)) &&
      current.spec?.replicas === replicas &&
      current.status?.observedGeneration === current.metadata.generation &&
      current.status?.availableReplicas === replicas
    );
  }
}
