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
  context: RegistryContext,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  const limits = await fillInLimits(context, draft);
  return checkLimits(limits, draft);
}

/** The items of each limit range of a namespace. */
export type NamespaceLimits = readonly (readonly LimitRangeItem[])[];

/** Fills in the defaults of the limit ranges of a pod's namespace, and returns all that these limit. One list. Changes the draft. */
export async function fillInLimits({ admission }: RegistryContext, draft: KubernetesObject): Promise<NamespaceLimits> {
  const { namespace = '' } = draft.metadata;
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return [];
  const ranges = await admission.limitRanges<LimitRange>(namespace);
  const limits = ranges.map((range) => range.spec?.limits ?? []);
  for (const limit of limits.flat()) if (limit.type === 'Container') applyContainerLimits(draft, spec, limit);
  return limits;
}

/** Returns the error of a pod that is out of the bounds of a limit range. Pure. */
export function checkLimits(limits: NamespaceLimits, pod: KubernetesObject): ApiError | undefined {
  const { name, generateName } = pod.metadata;
  for (const items of limits) {
    const errors = items.flatMap((limit) => limitViolations(pod['spec'] as PodSpec, limit));
    if (errors.length === 0) continue;
    const why = errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
    return forbidden('pods', name || generateName || 'Unknown', why);
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
