import type { NamespaceCondition } from 'kubernetes-types/core/v1.js';
import { formatTime } from '../../ports/Clock.ts';

/** The content of a namespace that is being deleted. */
export interface RemainingContent {
  /** The number of objects of each resource: `pods.`, `deployments.apps`. */
  readonly counts: ReadonlyMap<string, number>;
  /** The number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The errors of deletes. */
  readonly failures: readonly string[];
}

/** A condition names at most this many failures, so that a namespace stays small however many objects cannot be deleted. */
const MAX_NAMED_FAILURES = 10;

/** Returns the five conditions that Kubernetes puts on a namespace that is being deleted, in its words. `False` means that nothing is in the way. */
export function namespaceConditions(
  found: RemainingContent,
  old: readonly NamespaceCondition[],
  nowMs: number,
): NamespaceCondition[] {
  const decided = [
    condition(
      'NamespaceDeletionDiscoveryFailure',
      false,
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    contentFailure(found),
    contentRemaining(found),
    finalizersRemaining(found),
  ];
  return decided.map((now) => {
    const before = old.find(({ type }) => type === now.type);
    const unchanged = before?.status === now.status && before.lastTransitionTime !== undefined;
    return { ...now, lastTransitionTime: unchanged ? (before.lastTransitionTime ?? '') : formatTime(nowMs) };
  });
}

function condition(type: string, holds: boolean, reason: string, message: string): NamespaceCondition {
  return { type, status: holds ? 'True' : 'False', reason, message };
}

function contentFailure({ failures }: RemainingContent): NamespaceCondition {
  const type = 'NamespaceDeletionContentFailure';
  if (failures.length > 0) {
    const named = failures.slice(0, MAX_NAMED_FAILURES).join(', ');
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${named}`;
    return condition(type, true, 'ContentDeletionFailed', message);
  }
  return condition(type, false, 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization');
}

function contentRemaining({ counts }: RemainingContent): NamespaceCondition {
  const type = 'NamespaceContentRemaining';
  const parts = [...counts].map(([resource, count]) => `${resource} has ${count} resource instances`).sort();
  if (parts.length === 0) return condition(type, false, 'ContentRemoved', 'All content successfully removed');
  return condition(type, true, 'SomeResourcesRemain', `Some resources are remaining: ${parts.join(', ')}`);
}

function finalizersRemaining({ finalizers }: RemainingContent): NamespaceCondition {
  const type = 'NamespaceFinalizersRemaining';
  const parts = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).sort();
  if (parts.length === 0)
    return condition(type, false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished');
  return condition(
    type,
    true,
    'SomeFinalizersRemain',
    `Some content in the namespace has finalizers remaining: ${parts.join(', ')}`,
  );
}
