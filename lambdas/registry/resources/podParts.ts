import type { Container, ContainerStatus, PodSpec } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import type { SizedPodSpec, SizedPodStatus } from '../../objects/pods/podLevelResources.ts';
import { amountsOf } from '../../objects/pods/podResize.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { PartStrategy } from '../ResourceEntry.ts';
import { validateEphemeralContainersUpdate } from '../validation/pods/validateEphemeralContainersUpdate.ts';
import { type Fields, fieldsOf, itemsOf } from '../validation/fieldsOf.ts';
import { validatePodResize } from '../validation/pods/validatePodResize.ts';

const LISTS = ['containers', 'initContainers'] as const;

/** `pods/ephemeralcontainers`, by which `kubectl debug` adds a container to a running pod. */
const ephemeralContainers: PartStrategy = {
  mergeSpec(draft, old) {
    const { ephemeralContainers: _, ...kept } = specOf(old);
    const { ephemeralContainers: added } = specOf(draft);
    return { ...kept, ...(added !== undefined && { ephemeralContainers: added }) };
  },
  validateUpdate: validateEphemeralContainersUpdate,
  fields: [['f:spec', 'f:ephemeralContainers']],
};

/** `pods/resize`, by which the CPU and memory of running containers change, and of the pod as a whole. */
const resize: PartStrategy = {
  since: 33,
  mergeSpec(draft, old) {
    const [spec, oldSpec] = [specOf(draft), specOf(old)];
    // A pod with other containers is no resize. Its validation says so.
    if (LISTS.some((list) => itemsOf(spec[list]).length !== itemsOf(oldSpec[list]).length)) return spec;
    const lists = LISTS.filter((list) => oldSpec[list] !== undefined);
    const { resources } = spec as Fields<SizedPodSpec>;
    return {
      ...oldSpec,
      ...Object.fromEntries(lists.map((list) => [list, mergeResources(spec[list], oldSpec[list])])),
      ...(resources !== undefined && { resources }),
    };
  },
  validateUpdate: validatePodResize,
  completeStatus: nameFormerSizes,
  fields: [
    ['f:spec', 'f:resources'] as const,
    ...LISTS.flatMap((list) => [
      ['f:spec', `f:${list}`, '*', 'f:resources'] as const,
      ['f:spec', `f:${list}`, '*', 'f:resizePolicy'] as const,
    ]),
  ],
};

/**
 * Names in the status what the running containers have, where no kubelet has named it: a simulated node does so only for pods that change, and after the change nobody knows any more what the
 * containers had before. Changes the draft.
 */
function nameFormerSizes(draft: KubernetesObject, old: KubernetesObject): void {
  const { spec, status } = old as Pod;
  if (!status) return;
  const sized = (containers: readonly Container[] = [], statuses: readonly ContainerStatus[] = []) =>
    statuses.map((one) => {
      const container = containers.find(({ name }) => name === one.name);
      if (!container || one.resources !== undefined || !one.state?.running) return one;
      const amounts = amountsOf(container.resources);
      return { ...one, ...(amounts.requests && { allocatedResources: amounts.requests }), resources: amounts };
    });
  const { initContainerStatuses, containerStatuses } = status;
  const { resources: ofPod } = spec as SizedPodSpec;
  const isPodKnown = (status as SizedPodStatus).resources !== undefined || ofPod === undefined;
  draft['status'] = {
    ...status,
    ...(!isPodKnown && { resources: amountsOf(ofPod), allocatedResources: ofPod.requests ?? {} }),
    ...(initContainerStatuses && { initContainerStatuses: sized(spec?.initContainers, initContainerStatuses) }),
    ...(containerStatuses && { containerStatuses: sized(spec?.containers, containerStatuses) }),
  };
}

/** The subresources of pods that change a part of the spec. */
export const podParts: Readonly<Record<string, PartStrategy>> = {
  ephemeralcontainers: ephemeralContainers,
  resize,
};

function specOf(pod: KubernetesObject): Fields<PodSpec> {
  return fieldsOf<PodSpec>(pod['spec']);
}

/** The old containers with the new resources. Containers in another order or with other names are returned as they are given. */
function mergeResources(containers: unknown, oldContainers: unknown): unknown {
  const [after, before] = [itemsOf<Container>(containers), itemsOf<Container>(oldContainers)];
  if (before.some(({ name }, index) => name !== after[index]?.name)) return containers;
  return before.map(({ resources: _resources, resizePolicy: _policy, ...kept }, index) => {
    const { resources, resizePolicy } = after[index] ?? {};
    return {
      ...kept,
      ...(resources !== undefined && { resources }),
      ...(resizePolicy !== undefined && { resizePolicy }),
    };
  });
}
