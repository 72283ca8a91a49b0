import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { amountsOf, isOutOfSize } from '../../objects/pods/podResize.ts';
import type { Resize } from './decideResize.ts';

/**
 * Returns the status of a running container with the resources that it has. Until the pod's spec changes, they are those of the spec, and
 * naming them would only make every pod larger; a container with a resize policy names them from its start, so that a change of them can be seen. Pure.
 */
export function withResources(
  pod: Pod,
  { resources = {}, resizePolicy }: Container,
  status: ContainerStatus,
  resize: Resize,
): ContainerStatus {
  const isKnown = status.resources !== undefined;
  if (!isKnown && (pod.metadata.generation ?? 1) === 1 && resizePolicy === undefined) return status;
  if (isKnown && resize.step === 'pending') return status;
  const amounts = amountsOf(resources);
  const { allocatedResources: _before, ...rest } = status;
  const allocated = amounts.requests && { allocatedResources: amounts.requests };
  if (isKnown && resize.step === 'allocate') return { ...rest, ...allocated };
  return { ...rest, ...allocated, resources: amounts };
}

/** True if a resource of the container is about to change for which its resize policy asks for a restart. Pure. */
export function restartsToResize(container: Container, status: ContainerStatus, resize: Resize): boolean {
  if (resize.step !== 'actuate' || !isOutOfSize(container, status)) return false;
  const [had, wanted] = [status.resources, container.resources];
  const differs = (name: string) =>
    had?.requests?.[name] !== wanted?.requests?.[name] || had?.limits?.[name] !== wanted?.limits?.[name];
  return (container.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) => restartPolicy === 'RestartContainer' && differs(resourceName),
  );
}
