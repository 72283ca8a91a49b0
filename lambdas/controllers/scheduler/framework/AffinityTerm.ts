import type { PodAffinityTerm, PodSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { Pod } from '../../../objects/kinds.ts';
import type { Labels } from '../../../objects/selectors/labelRequirement.ts';
import { compileLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import { marksSelectedBy } from './marks.ts';

/** A term of a pod affinity or anti-affinity, ready to be matched. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly weight: number;
  /** Every pod that the term means has these (see PodGroups). */
  readonly marks: readonly string[];
  /** Whether a pod with these labels, in this namespace whose labels are given, is meant by the term. */
  matches(pod: { readonly namespace: string; readonly labels: Labels }, namespaceLabels: Labels): boolean;
}

/** The terms of one pod. */
export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
  /** Whether a term selects namespaces by their labels. */
  readonly selectsNamespaces: boolean;
}

const NONE: AffinityTerms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
  selectsNamespaces: false,
};

/** Reads the terms of a pod. Pure. */
export function affinityTermsOf({ metadata }: Pod, { affinity }: PodSpec): AffinityTerms {
  const { podAffinity, podAntiAffinity } = affinity ?? {};
  if (!podAffinity && !podAntiAffinity) return NONE;
  const compile = (term: PodAffinityTerm, weight = 1) =>
    compileTerm(term, weight, metadata.namespace ?? '', metadata.labels ?? {});
  const required = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const requiredAnti = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferredAnti = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const all = [...required, ...requiredAnti, ...[...preferred, ...preferredAnti].map((one) => one.podAffinityTerm)];
  return {
    requiredAffinity: required.map((term) => compile(term)),
    requiredAntiAffinity: requiredAnti.map((term) => compile(term)),
    preferredAffinity: preferred.map(({ podAffinityTerm, weight }) => compile(podAffinityTerm, weight)),
    preferredAntiAffinity: preferredAnti.map(({ podAffinityTerm, weight }) => compile(podAffinityTerm, weight)),
    selectsNamespaces: all.some(({ namespaceSelector }) => namespaceSelector !== undefined),
  };
}

/** Every term of a pod. */
export function allTermsOf(terms: AffinityTerms): readonly AffinityTerm[] {
  const { requiredAffinity, requiredAntiAffinity, preferredAffinity, preferredAntiAffinity } = terms;
  return [...requiredAffinity, ...requiredAntiAffinity, ...preferredAffinity, ...preferredAntiAffinity];
}

function compileTerm(term: PodAffinityTerm, weight: number, ownNamespace: string, ownLabels: Labels): AffinityTerm {
  const { namespaces = [], namespaceSelector, topologyKey } = term;
  const named = namespaces.length === 0 && !namespaceSelector ? [ownNamespace] : namespaces;
  const inNamespace = compileLabelSelector(namespaceSelector);
  const selector = withMatchLabelKeys(term, ownLabels);
  const selects = compileLabelSelector(selector);
  return {
    topologyKey,
    weight,
    marks: marksSelectedBy(selector),
    matches: ({ namespace, labels }, namespaceLabels) =>
      (named.includes(namespace) || inNamespace(namespaceLabels)) && selects(labels),
  };
}

/**
 * Adds to the selector what `matchLabelKeys` and `mismatchLabelKeys` stand for: the pod's own values of these labels. The API server of Kubernetes does it when the pod is created, where adding it twice changes nothing. A
 * label that the pod does not have adds nothing. Pure.
 */
export function withMatchLabelKeys(
  {
    labelSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  }: {
    readonly labelSelector?: LabelSelector;
    readonly matchLabelKeys?: readonly string[];
    readonly mismatchLabelKeys?: readonly string[];
  },
  ownLabels: Labels,
): LabelSelector | undefined {
  if (!labelSelector) return undefined;
  const requirement = (operator: string) => (key: string) =>
    Object.hasOwn(ownLabels, key) ? [{ key, operator, values: [ownLabels[key] ?? ''] }] : [];
  return {
    ...labelSelector,
    matchExpressions: [
      ...(labelSelector.matchExpressions ?? []),
      ...matchLabelKeys.flatMap(requirement('In')),
      ...mismatchLabelKeys.flatMap(requirement('NotIn')),
    ],
  };
}
