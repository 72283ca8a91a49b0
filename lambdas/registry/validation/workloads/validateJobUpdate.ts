import type { JobSpec } from 'kubernetes-types/batch/v1.js';
import type { Affinity, Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { Job } from '../../../objects/kinds.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { immutableField, invalid } from '../fieldErrors.ts';
import { isPresent } from '../fieldsOf.ts';
import { labelSelectorAfter } from '../validateLabels.ts';
import { generatedLabels, jobSpecErrors, validateJobObject } from './validateJobObject.ts';

/** The fields that never change. The template and, of Jobs with indexes, the completions have rules of their own. kubernetes-types does not know all of these names yet. */
const IMMUTABLE = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;
/** What a suspended Job may still change of its pods: where they can run. */
const DIRECTIVES = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** Returns the errors of a changed Job. Kubernetes validates it as a new one first, so the errors of its spec come twice. Pure. */
export function validateJobUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const validSelector = labelSelectorAfter(before.selector);
  return [
    ...validateJobObject(object, requiredLabels(object, before), validSelector),
    ...jobSpecErrors(object, validSelector),
    ...completionsErrors(spec, before),
    ...immutableField('spec.selector', spec.selector, before.selector),
    ...templateErrors(spec, old),
    ...IMMUTABLE.flatMap((field) => immutableField(`spec.${field}`, memberOf(spec, field), memberOf(before, field))),
  ];
}

function specOf(object: KubernetesObject): JobSpec {
  return (object as Job).spec ?? { template: {} };
}

function memberOf(spec: JobSpec, field: string): unknown {
  return (spec as unknown as Record<string, unknown>)[field];
}

/** A Job that was stored before Kubernetes 1.27 has only the labels without a domain. */
function requiredLabels(object: KubernetesObject, { template }: JobSpec): Readonly<Record<string, string>> {
  const labels = Object.entries(generatedLabels(object));
  const had = template.metadata?.labels ?? {};
  const isPrefixed = (label: string) => label.includes('/');
  const hadAll = labels.every(([label]) => !isPrefixed(label) || Object.hasOwn(had, label));
  return hadAll ? Object.fromEntries(labels) : Object.fromEntries(labels.filter(([label]) => !isPrefixed(label)));
}

/** The number of completions of a Job with indexes changes together with its parallelism; another Job's never. */
function completionsErrors(spec: JobSpec, before: JobSpec): FieldError[] {
  const path = 'spec.completions';
  if (spec.completionMode !== 'Indexed') return immutableField(path, spec.completions, before.completions);
  const isKept = spec.completions === before.completions || !isPresent(spec.completions);
  if (isKept || spec.completions === spec.parallelism) return [];
  return [invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism')];
}

/**
 * While a Job is suspended and no pod of it runs, it may change where its pods can run and what its containers request. Before its controller has seen that it is suspended, it may change the first if it
 * was never started. As Kubernetes since 1.36.
 */
function templateErrors({ template }: JobSpec, { spec, status }: Job): FieldError[] {
  const old = spec?.template ?? {};
  const isSuspended = spec?.suspend === true;
  const isSeen = status?.conditions?.some((one) => one.type === 'Suspended' && one.status === 'True') === true;
  const isAtRest = isSuspended && isSeen && (status?.active ?? 0) === 0;
  const mayMove = isAtRest || (isSuspended && status?.startTime === undefined);
  const kept = mayMove ? withDirectives(old, template) : old;
  if (!isAtRest) return immutableField('spec.template', template, kept);
  return immutableField('spec.template.spec', template.spec, withResources(kept.spec, template.spec));
}

/** The old template with the scheduling directives, the labels and the annotations of the new one. */
function withDirectives(old: PodTemplateSpec, given: PodTemplateSpec): PodTemplateSpec {
  const affinity = affinityAfter(old.spec?.affinity, given.spec?.affinity);
  const directives = Object.fromEntries(DIRECTIVES.map((field) => [field, given.spec?.[field]]));
  return {
    ...old,
    metadata: { ...old.metadata, labels: given.metadata?.labels, annotations: given.metadata?.annotations },
    spec: { ...old.spec, ...directives, affinity },
  } as PodTemplateSpec;
}

/** Only the affinity to nodes may change. It may go away, and so may then the affinity as a whole. */
function affinityAfter(old: Affinity | undefined, given: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _, ...others } = old ?? {};
  if (given) return { ...others, ...(given.nodeAffinity && { nodeAffinity: given.nodeAffinity }) };
  return Object.keys(others).length === 0 ? undefined : others;
}

/** The old spec with the resources of the new one, if their containers have the same names. */
function withResources(old: PodSpec | undefined, given: PodSpec | undefined): unknown {
  const sized = (before: readonly Container[] | undefined, after: readonly Container[] | undefined) =>
    before?.length !== after?.length
      ? before
      : before?.map((container, index) => {
          const other = after?.[index];
          return other?.name === container.name ? { ...container, resources: other.resources } : container;
        });
  return {
    ...old,
    containers: sized(old?.containers, given?.containers),
    initContainers: sized(old?.initContainers, given?.initContainers),
  };
}
