import type { PodSpec, PodStatus, ResourceRequirements } from 'kubernetes-types/core/v1.js';

/** The spec of a pod. kubernetes-types does not know the resources of pods as a whole yet. */
export type SizedPodSpec = PodSpec & { readonly resources?: ResourceRequirements };

/** The status of a pod that has resources as a whole. */
export type SizedPodStatus = PodStatus & {
  readonly resources?: ResourceRequirements;
  readonly allocatedResources?: Readonly<Record<string, string>>;
};

/** True for a resource that a pod can have as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Returns what the pod has or may use as a whole, in place of what its containers have together. Pure. */
export function podLevelAmounts(spec: PodSpec, member: 'requests' | 'limits'): Readonly<Record<string, string>> {
  const amounts = (spec as SizedPodSpec).resources?.[member] ?? {};
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isPodLevelResource(name)));
}

/** True for a pod that has requests or limits as a whole. Pure. */
export function hasPodLevelResources(spec: PodSpec): boolean {
  return (['requests', 'limits'] as const).some((member) => Object.keys(podLevelAmounts(spec, member)).length > 0);
}
