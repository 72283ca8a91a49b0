import type { Container, LimitRange as ApiLimitRange, LimitRangeItem, PodSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import { limitViolations } from './limitViolations.ts';

type LimitRange = Stored<ApiLimitRange>;

/**
 * LimitRanger for a new pod: containers without requests or limits get the defaults of the namespace's limit ranges, and then the pod is checked
 * against their bounds. One list. Changes the draft.
 */
export async function applyLimitRanges(
  { admission }: RegistryContext,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  const { namespace = '', name, generateName } = draft.metadata;
  const spec = draft['spec'] as PodSpec | undefined;
  if (spec === undefined) return undefined;
  for (const { spec: range } of await admission.limitRanges<LimitRange>(namespace)) {
    const limits = range?.limits ?? [];
    for (const limit of limits.filter(({ type }) => type === 'Container')) applyContainerLimits(draft, spec, limit);
    const errors = limits.flatMap((limit) => limitViolations(spec, limit));
    if (errors.length > 0)
      return forbidden(
        'pods',
        name || generateName || 'Unknown',
        errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`,
      );
  }
  return undefined;
}

/** The annotation that lists what was filled in, as in Kubernetes. */
const ANNOTATION = 'kubernetes.io/limit-ranger';

function applyContainerLimits(draft: KubernetesObject, spec: PodSpec, limit: LimitRangeItem): void {
  const filledIn = [
    ...(spec.containers ?? []).flatMap((container) => fillIn(container, limit, 'container')),
    ...(spec.initContainers ?? []).flatMap((container) => fillIn(container, limit, 'init container')),
  ];
  if (filledIn.length === 0) return;
  draft.metadata.annotations = {
    ...draft.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${filledIn.join('; ')}`,
  };
}

function fillIn(container: Container, limit: LimitRangeItem, what: string): string[] {
  const resources = container.resources ?? {};
  const requests = missingFrom(resources.requests, limit.defaultRequest);
  const limits = missingFrom(resources.limits, limit.default);
  container.resources = {
    ...resources,
    ...(requests.length > 0 && { requests: { ...limit.defaultRequest, ...resources.requests } }),
    ...(limits.length > 0 && { limits: { ...limit.default, ...resources.limits } }),
  };
  return [
    ...(requests.length > 0 ? [`${requests.join(', ')} request for ${what} ${container.name}`] : []),
    ...(limits.length > 0 ? [`${limits.join(', ')} limit for ${what} ${container.name}`] : []),
  ];
}

function missingFrom(own: object | undefined, defaults: object | undefined): string[] {
  return Object.keys(defaults ?? {})
    .filter((name) => !Object.hasOwn(own ?? {}, name))
    .sort();
}
