import { controllerOf, type KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { matchesLabelSelector } from '../../../lambdas/objects/selectors/labelSelector.ts';
import { templatesEqual } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

const FOREGROUND = 'foregroundDeletion';

/**
 * An object has one controller, and nobody takes it from that controller; an adopter selects what it adopts and exists; each template has one ReplicaSet; and the garbage
 * collector deletes only objects that have no owner left.
 */
export class Ownership implements Check {
  readonly #world: World;
  /** UIDs of what was ever deleted in the foreground. */
  readonly #foreground = new Set<string>();
  /** The place among all writes at which the deletion of each object was first asked for, by UID. */
  readonly #deletedOrder = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, trail, change, order }: AuditedWrite): string | undefined {
    const { before, after } = change;
    this.#noteDeletion(before, after, order);
    if (after?.metadata.finalizers?.includes(FOREGROUND)) this.#foreground.add(after.metadata.uid);
    if (after && controllersOf(after).length > 1) return `${nameOf(after)} has several controllers`;
    if (before && after) return this.#judgeOwners(before, after, trail) ?? this.#judgeCollection(writer, before, after);
    if (before) return this.#judgeCollection(writer, before, undefined);
    const isRollout = writer === 'deployment' && change.resource === 'replicasets.apps';
    return isRollout ? this.#judgeTemplate(after) : undefined;
  }

  #noteDeletion(before: KubernetesObject | undefined, after: KubernetesObject | undefined, order: number): void {
    const { uid, deletionTimestamp } = ((after ?? before) as KubernetesObject).metadata;
    if ((!after || deletionTimestamp !== undefined) && !this.#deletedOrder.has(uid)) this.#deletedOrder.set(uid, order);
  }

  /** Before it adopts, a sync that has listed orphans reads the owner once more: the owner may have been deleted since it was read first. */
  #judgeOwners(before: KubernetesObject, after: KubernetesObject, trail: SyncTrail | undefined): string | undefined {
    const [was, is] = [controllerOf(before), controllerOf(after)];
    if (!is || is.uid === was?.uid) return undefined;
    if (was) return `${nameOf(after)} was taken from ${was.kind} ${was.name} by ${is.kind} ${is.name}`;
    const deleted = this.#deletedOrder.get(is.uid) ?? Number.POSITIVE_INFINITY;
    if (trail?.listedOrder !== undefined && deleted < trail.listedOrder)
      return `${nameOf(after)} was adopted by ${is.kind} ${is.name}, which was deleted before the sync looked for orphans`;
    const owner = this.#world.byUid(is.uid);
    if (owner && !selects(owner, after))
      return `${nameOf(after)} was adopted by ${nameOf(owner)}, which does not select it`;
    return undefined;
  }

  /** Two of one template come about by adoption only. One that is being deleted is on its way out, as a user wanted it. */
  #judgeTemplate(created: ReplicaSet): string | undefined {
    const deployment = this.#world.deploymentOf(created);
    const twin =
      deployment &&
      this.#world
        .replicaSetsOf(deployment)
        .find(
          (one) =>
            one.metadata.uid !== created.metadata.uid &&
            one.metadata.deletionTimestamp === undefined &&
            templatesEqual(one.spec?.template, created.spec?.template),
        );
    return twin && `${nameOf(created)} has the template of ${nameOf(twin)}`;
  }

  /**
   * No owner that exists may be passed over, unless it waits for this very deletion (foreground). UIDs never come back, so what is gone stays gone, however late the
   * delete lands. An owner that a user deleted in the foreground and then, before that was over, once more with another policy counts as one that waits: what was
   * decided for the first request may land after the second.
   */
  #judgeCollection(writer: string, before: KubernetesObject, after: KubernetesObject | undefined): string | undefined {
    if (writer !== 'garbagecollector' || before.metadata.deletionTimestamp !== undefined) return undefined;
    if (after && after.metadata.deletionTimestamp === undefined) return undefined;
    const owners = before.metadata.ownerReferences ?? [];
    const standing = owners
      .map(({ uid }) => this.#world.byUid(uid))
      .find((owner) => owner && !this.#foreground.has(owner.metadata.uid));
    if (owners.length === 0) return `${nameOf(before)} was collected though it names no owner`;
    return standing && `${nameOf(before)} was collected though ${nameOf(standing)} owns it`;
  }
}

function controllersOf({ metadata }: KubernetesObject) {
  return (metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
}

/** True if the owner's selector matches the object's labels. */
export function selects(owner: KubernetesObject, object: KubernetesObject): boolean {
  const { selector } = (owner as unknown as Deployment).spec ?? {};
  const labelSelector =
    owner.kind === 'ReplicationController' ? { matchLabels: selector as unknown as Record<string, string> } : selector;
  return matchesLabelSelector(labelSelector, object.metadata.labels);
}
