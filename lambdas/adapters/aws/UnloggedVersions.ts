import type { GroupResource } from '../../objects/ObjectKey.ts';

/** More are never remembered of one resource; those who list also follow its log, which forgets what is logged. */
const REMEMBERED = 20_000;

/**
 * The versions that this process has read from the table of objects and does not know to be logged yet. A list must not be answered before they are:
 * its reader would be shown an older state of an object than it has seen already. The numbers alone do not tell, since a write may be logged after
 * another with a higher number.
 */
export class UnloggedVersions {
  readonly #seen = new Map<GroupResource, Set<number>>();

  note(resource: GroupResource, version: number): void {
    if (version === 0) return;
    const seen = this.#seen.get(resource) ?? new Set();
    this.#seen.set(resource, seen.add(version));
    const [oldest] = seen;
    if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
  }

  of(resource: GroupResource): readonly number[] {
    return [...(this.#seen.get(resource) ?? [])];
  }

  forget(resource: GroupResource, isLogged: (version: number) => boolean): void {
    const seen = this.#seen.get(resource);
    for (const version of seen ?? []) if (isLogged(version)) seen?.delete(version);
  }
}
