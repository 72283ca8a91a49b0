import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/**
 * Returns the status of a running container with the resources that it has. A simulated node grants every resize at once. Until the pod's spec changes, the resources are those of the spec, and
 * naming them would only make every pod larger; a container with a resize policy names them from its start, so that a change of them can be seen. Pure.
 */
export function withResources(pod: Pod, { resources = {}, resizePolicy }: Container, status: ContainerStatus) {
  const isTold = status.resources !== undefined || (pod.metadata.generation ?? 1) > 1 || resizePolicy !== undefined;
  if (!isTold) return status;
  const { claims: _, ...amounts } = resources;
  const { allocatedResources: _before, ...rest } = status;
  return { ...rest, ...(amounts.requests && { allocatedResources: amounts.requests }), resources: amounts };
}

/** True if a resource of the container has changed for which its resize policy asks for a restart. Pure. */
export function restartsToResize({ resources, resizePolicy = [] }: Container, status: ContainerStatus): boolean {
  const had = status.resources;
  if (had === undefined) return false;
  const differs = (name: string) =>
    had.requests?.[name] !== resources?.requests?.[name] || had.limits?.[name] !== resources?.limits?.[name];
  return resizePolicy.some(
    ({ resourceName, restartPolicy }) => restartPolicy === 'RestartContainer' && differs(resourceName),
  );
}
