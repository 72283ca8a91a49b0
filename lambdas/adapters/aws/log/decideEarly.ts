import type { TracedChange } from '../../../ports/ChangeLog.ts';

/** What must be known of a log to decide. */
export interface LogSoFar {
  isLogged(version: number): boolean;
  readonly state: { readonly epochPosition: number };
}

/** The version of the object's, or its name's, change before this one; 0 if there was none, or none is known. */
export function versionBefore({ before, replaces = 0 }: TracedChange): number {
  return before ? Number(before.metadata.resourceVersion) : replaces;
}

/**
 * Returns those of a writer's changes that can be logged before the stream brings them: each of which the log, as it is known, or one of these changes holds the change before. So whatever the stream brings later of the
 * same object is newer, or is logged already. The changes must be in the order of their versions. Pure.
 *
 * An object that is new under its name has no change before if the name has no tombstone: a tombstone is deleted only when the log holds the removal, or when it is older than what a stream keeps.
 *
 * A version that was drawn before an epoch began is left to the stream: the epoch may have been begun because that change, or one before it, was given up.
 */
export function decideEarly(changes: readonly TracedChange[], log: LogSoFar): readonly TracedChange[] {
  const held = new Set<number>();
  const isHeld = (version: number) => version === 0 || held.has(version) || log.isLogged(version);
  return changes.filter((change) => {
    const isFit = change.version > log.state.epochPosition && isHeld(versionBefore(change));
    if (isFit) held.add(change.version);
    return isFit;
  });
}
