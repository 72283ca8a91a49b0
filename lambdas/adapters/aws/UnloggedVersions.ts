import type { GroupResource } from '../../objects/ObjectKey.ts';

/** The most versions that are remembered of one resource. Reading the log, as every list does, removes those that are logged. */
const REMEMBERED = 20_000;

/**
 * The versions that this process has read from the objects table and does not yet know to be logged. A list must not be answered before they are logged:
 * a watch that follows it would show an older state of an object than the list did. Comparing versions is not enough, since a write may be logged after
 * another write with a higher version.
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
