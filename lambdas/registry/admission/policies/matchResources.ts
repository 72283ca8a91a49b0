import type { MatchResources } from 'kubernetes-types/admissionregistration/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { matchesLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import {
  type Match,
  type MatchedRequest,
  matchRules,
  namespaceLabels,
  selectsEveryNamespace,
  selectsObjects,
} from './matchRequest.ts';

export type ResourcesMatch =
  | { readonly status: 'matches'; readonly match: Match }
  | { readonly status: 'other' }
  /** It cannot be told; `error` in Kubernetes' words. */
  | { readonly status: 'failed'; readonly error: string };

const OTHER: ResourcesMatch = { status: 'other' };

/**
 * Says whether a policy or a binding is about a request: its selectors select it, a rule names it, and no rule excludes it. Without rules, it is about everything. Reads the request's
 * namespace only if a selector looks at its labels.
 */
export async function matchResources(
  { matchPolicy, objectSelector, namespaceSelector, resourceRules = [], excludeResourceRules = [] }: MatchResources,
  request: MatchedRequest,
  readNamespace: () => Promise<KubernetesObject | undefined>,
): Promise<ResourcesMatch> {
  const { group, version, kind } = request;
  if (!selectsObjects(objectSelector, request)) return OTHER;
  if (matchRules(excludeResourceRules, request, matchPolicy)) return OTHER;
  const match = resourceRules.length === 0 ? { group, version, kind } : matchRules(resourceRules, request, matchPolicy);
  if (!match) return OTHER;
  if (selectsEveryNamespace(namespaceSelector, request)) return { status: 'matches', match };
  const labels = namespaceLabels(request) ?? labelsOf(await readNamespace());
  if (!labels) return { status: 'failed', error: `namespaces ${JSON.stringify(request.namespace)} not found` };
  return matchesLabelSelector(namespaceSelector, labels) ? { status: 'matches', match } : OTHER;
}

function labelsOf(namespace: KubernetesObject | undefined) {
  return namespace && (namespace.metadata.labels ?? {});
}
