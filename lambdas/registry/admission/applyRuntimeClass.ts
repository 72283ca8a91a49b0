import type { PodSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { RuntimeClass } from 'kubernetes-types/node/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';

/** RuntimeClass for a new pod that names one: its overhead and where it may run come from the class. One read. Changes the draft. */
export async function applyRuntimeClass(
  { objectStore }: RegistryContext,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  const spec = draft['spec'] as PodSpec | undefined;
  const name = spec?.runtimeClassName;
  if (!spec || !name) return undefined;
  const found = await objectStore.get({ resource: 'runtimeclasses.node.k8s.io', namespace: '', name });
  const problem = found
    ? merge(spec, found as unknown as RuntimeClass)
    : `RuntimeClass ${JSON.stringify(name)} not found`;
  if (problem === undefined) return undefined;
  const { metadata } = draft;
  return forbidden('pods', metadata.name || metadata.generateName || 'Unknown', `pod rejected: ${problem}`);
}

/** Returns why the class does not fit the pod. */
function merge(spec: PodSpec, { overhead, scheduling }: RuntimeClass): string | undefined {
  const fixed = overhead?.podFixed;
  if (spec.overhead && !fixed) return 'Pod Overhead set without corresponding RuntimeClass defined Overhead';
  if (spec.overhead && !jsonEqual(spec.overhead, fixed))
    return "Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  if (fixed) spec.overhead = fixed;
  const selector = scheduling?.nodeSelector ?? {};
  const given = spec.nodeSelector ?? {};
  const clash = Object.keys(selector).find((key) => given[key] !== undefined && given[key] !== selector[key]);
  if (clash !== undefined) {
    return `conflict: runtimeClass.scheduling.nodeSelector[${clash}] = ${selector[clash]}; pod.spec.nodeSelector[${clash}] = ${given[clash]}`;
  }
  if (Object.keys(selector).length > 0) spec.nodeSelector = { ...given, ...selector };
  const missing = (scheduling?.tolerations ?? []).filter((one) => !has(spec.tolerations, one));
  if (missing.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...missing];
  return undefined;
}

function has(tolerations: readonly Toleration[] = [], wanted: Toleration): boolean {
  return tolerations.some((one) => jsonEqual(one, wanted));
}
