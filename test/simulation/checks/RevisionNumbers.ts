import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ControllerRevision } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/**
 * A ControllerRevision gets a number higher than all that its owner's other revisions had when the sync began. A create that comes late may meet the same number, or a higher one, which was given in the meantime.
 */
export class RevisionNumbers implements Check {
  readonly #world: World;
  /** By UID: when each was written last; milliseconds. */
  readonly #writtenMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const { before, after } = change;
    if (change.resource !== 'controllerrevisions.apps' || !after) return undefined;
    this.#writtenMs.set(after.metadata.uid, nowMs);
    const written = after as ControllerRevision;
    const isNumbered = trail !== undefined && (before as ControllerRevision | undefined)?.revision !== written.revision;
    return isNumbered ? this.#judge(written, trail.beganMs) : undefined;
  }

  #judge(written: ControllerRevision, beganMs: number): string | undefined {
    const { uid } = written.metadata;
    const owner = controllerOf(written)?.uid;
    const known = this.#world
      .all<ControllerRevision>('ControllerRevision')
      .filter((one) => one.metadata.uid !== uid && controllerOf(one)?.uid === owner)
      .filter((one) => (this.#writtenMs.get(one.metadata.uid) ?? 0) < beganMs);
    const higher = known.find(({ revision }) => revision >= written.revision);
    return (
      higher &&
      `${nameOf(written)} gets number ${written.revision}, though ${nameOf(higher)} had ${higher.revision} when the sync began`
    );
  }
}
