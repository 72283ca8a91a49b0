import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';

/** The kinds that make pods, or what makes pods, from a template that their selector must select. */
const OWNERS = new Set(['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'StatefulSet']);

interface Owner {
  readonly kind?: unknown;
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
}

/**
 * Returns why an owner of pods would create them without end: what its template makes is not its own, so it lacks as many as before; or it wants less than none. Validation has never let in such an owner. The object must have its kind's
 * shape. Pure.
 */
export function endlessOwner(object: object): string | undefined {
  const { kind, spec } = object as Owner;
  if (!OWNERS.has(String(kind)) || !spec) return undefined;
  if ((spec.replicas ?? 0) < 0) return 'spec.replicas is negative';
  const isOwn = matchesLabelSelector(spec.selector, spec.template?.metadata?.labels);
  return spec.template && !isOwn ? 'spec.selector does not select the pods of spec.template' : undefined;
}
