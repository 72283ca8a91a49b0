import { REVISION } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import { controllerOf, type KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/** A ReplicaSet that becomes the new one gets the revision that follows the highest of its Deployment's other ReplicaSets: 1 if there was none. */
export class Revisions implements Check {
  readonly #world: World;
  /** By UID of the Deployment: every revision that one of its ReplicaSets ever had. */
  readonly #revisions = new Map<string, Set<number>>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, change }: AuditedWrite): string | undefined {
    const { before, after } = change;
    if (change.resource !== 'replicasets.apps' || !after) return undefined;
    const deployment = controllerOf(after)?.uid;
    const revision = revisionOf(after);
    if (deployment === undefined || revision === undefined) return undefined;
    const known = this.#revisions.get(deployment) ?? new Set();
    this.#revisions.set(deployment, known);
    const isNew = writer === 'deployment' && revisionOf(before) !== revision && !isAdopted(before, after);
    const violation = isNew && revision > 1 && !known.has(revision - 1) ? this.#describe(after, known) : undefined;
    known.add(revision);
    return violation;
  }

  #describe(replicaSet: KubernetesObject, known: ReadonlySet<number>): string {
    const owner = this.#world.byUid(controllerOf(replicaSet)?.uid ?? '');
    return `${nameOf(replicaSet)} gets revision ${revisionOf(replicaSet)}, though ${owner ? nameOf(owner) : 'its owner'} only ever had ${[...known].join(', ') || 'none'}`;
  }
}

function revisionOf(object: KubernetesObject | undefined): number | undefined {
  const text = object?.metadata.annotations?.[REVISION];
  return text === undefined ? undefined : Number(text);
}

function isAdopted(before: KubernetesObject | undefined, after: KubernetesObject): boolean {
  return before !== undefined && controllerOf(before)?.uid !== controllerOf(after)?.uid;
}
