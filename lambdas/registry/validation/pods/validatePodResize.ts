import type {
  Container,
  ContainerResizePolicy,
  PodOS,
  PodSpec,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { Pod } from '../../../objects/kinds.ts';
import { podQosClass } from '../../../objects/pods/podQosClass.ts';
import { forbidden, invalid } from '../fieldErrors.ts';
import { type Fields, fieldsOf, itemsOf } from '../fieldsOf.ts';
import { validateWholePod } from './validatePod.ts';
import { isMirrorPod, validateAnnotationChanges } from './validatePodUpdate.ts';

type List = 'containers' | 'initContainers';

const KINDS = ['requests', 'limits'] as const;

/** What has resources: a container, or a pod as a whole. */
type Sized = { readonly resources?: unknown };

/**
 * Returns the errors of a pod whose containers are resized, except those of its metadata, as Kubernetes' `ValidatePodResize`. CPU and memory may change, as
 * long as the pod's QoS class stays, also those of the pod as a whole. Simulated nodes can resize every container, so a pod's node is never refused. Pure.
 */
export function validatePodResize(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [spec, oldSpec] = [fieldsOf<PodSpec>(pod['spec']), fieldsOf<PodSpec>(old['spec'])];
  if (isMirrorPod(old)) return [forbidden('[]', 'static pods cannot be resized')];
  if (fieldsOf<PodOS>(oldSpec.os).name === 'windows') return [forbidden('[]', 'windows pods cannot be resized')];
  const errors = [...validateWholePod(pod), ...validateAnnotationChanges(pod, old), ...validateQosClass(pod, old)];
  const others = [...validateOrder(spec, oldSpec, 'containers'), ...validateOrder(spec, oldSpec, 'initContainers')];
  if (others.length > 0) return [...errors, ...others];
  return [
    ...errors,
    ...validateKept(spec, oldSpec, 'initContainers'),
    ...validateKept(spec, oldSpec, 'containers'),
    ...validatePodKept(spec, oldSpec),
    ...containerErrors(spec, oldSpec),
    ...podErrors(spec, oldSpec),
    ...initContainerErrors(spec, oldSpec),
  ];
}

function validateQosClass(pod: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [pod as Pod, old as Pod];
  const empty: PodSpec = { containers: [] };
  const wanted = before.status?.qosClass ?? podQosClass(before.spec ?? empty);
  if (podQosClass(now.spec ?? empty) === wanted) return [];
  return [invalid('spec', now.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing')];
}

function validateOrder(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>, list: List): FieldError[] {
  const [after, before] = [itemsOf<Container>(spec[list]), itemsOf<Container>(oldSpec[list])];
  if (after.length !== before.length)
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return before.flatMap(({ name }, index) =>
    name === after[index]?.name
      ? []
      : [forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  );
}

/** Requests and limits can change, but what a container has it keeps. */
function validateKept(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>, list: List): FieldError[] {
  return itemsOf<Container>(oldSpec[list]).flatMap((before, index) =>
    KINDS.flatMap((kind) => {
      const after = amountsOf(itemsOf<Container>(spec[list])[index] ?? {}, kind);
      const isKept = Object.keys(amountsOf(before, kind)).every((name) => name in after);
      const path = `spec.${list}[${index}].resources.${kind}`;
      return isKept ? [] : [forbidden(path, `resource ${kind} cannot be removed`)];
    }),
  );
}

/** The same holds for what the pod has as a whole. */
function validatePodKept(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  return KINDS.flatMap((kind) => {
    const after = amountsOf(spec as Sized, kind);
    const isKept = Object.keys(amountsOf(oldSpec as Sized, kind)).every((name) => name in after);
    return isKept ? [] : [forbidden(`spec.resources.${kind}`, `resource ${kind} cannot be removed`)];
  });
}

function podErrors(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  const sized = ({ resources }: Sized): Fields<Container> => ({ resources });
  if (differsOnlyInSize(sized(spec as Sized), sized(oldSpec as Sized))) return [];
  return [forbidden('spec', 'only cpu and memory resources are mutable')];
}

function containerErrors(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  const before = itemsOf<Container>(oldSpec.containers);
  return itemsOf<Container>(spec.containers).flatMap((container, index) =>
    differsOnlyInSize(container, before[index] ?? {})
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable')],
  );
}

function initContainerErrors(spec: Fields<PodSpec>, oldSpec: Fields<PodSpec>): FieldError[] {
  const before = itemsOf<Container>(oldSpec.initContainers);
  return itemsOf<Container>(spec.initContainers).flatMap((container, index) => {
    const path = `spec.initContainers[${index}]`;
    const old = before[index] ?? {};
    const others = 'only cpu and memory resources for init or sidecar containers are mutable';
    const restarts = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    return [
      ...(differsOnlyInSize(container, old) ? [] : [forbidden(path, others)]),
      ...(isRestartedByResize(container, old) ? [forbidden(path, restarts)] : []),
    ];
  });
}

function isRestartedByResize(container: Fields<Container>, old: Fields<Container>): boolean {
  if (container.restartPolicy === 'Always' || jsonEqual(container, old)) return false;
  const policies = itemsOf<ContainerResizePolicy>(container.resizePolicy);
  return policies.some(({ restartPolicy }) => restartPolicy === 'RestartContainer');
}

function differsOnlyInSize(container: Fields<Container>, old: Fields<Container>): boolean {
  return jsonEqual(withSizeOf(container, old), withSizeOf(old, old));
}

/** The container with the CPU and memory of the old one. */
function withSizeOf(container: Fields<Container>, old: Fields<Container>): unknown {
  const { claims } = fieldsOf<ResourceRequirements>(container.resources);
  const sized = (kind: 'requests' | 'limits') => {
    const { cpu: _cpu, memory: _memory, ...others } = amountsOf(container, kind);
    const { cpu, memory } = amountsOf(old, kind);
    return { ...others, cpu, memory };
  };
  return { ...container, resources: { claims, requests: sized('requests'), limits: sized('limits') } };
}

function amountsOf(container: Sized, kind: 'requests' | 'limits'): Record<string, unknown> {
  return fieldsOf<Record<string, unknown>>(fieldsOf<ResourceRequirements>(container.resources)[kind]);
}
