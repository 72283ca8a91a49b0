import type { Pod, ReplicaSet } from '../../objects/kinds.ts';
import { goQuote } from '../../objects/goQuote.ts';
import { replicaFailureOf } from './progress.ts';

/** What a kubelet says of an image that no registry can have, since its name cannot be parsed. */
const INVALID_IMAGE_NAME = 'InvalidImageName';

/**
 * Why this ReplicaSet's pods can never run, however long one waits; `undefined` if they might. Which failures qualify is decided in
 * infra/adr/0005-permanent-failures.md: a template whose pods are refused as invalid, and an image name that cannot exist. Pure.
 *
 * @param pods any of the ReplicaSet's pods; they are of one template, so one of them tells of all
 */
export function permanentFailure(replicaSet: ReplicaSet, pods: readonly Pod[]): string | undefined {
  const subject = `ReplicaSet ${goQuote(replicaSet.metadata.name)} can never run its pods`;
  const failure = replicaFailureOf(replicaSet);
  // The words of a refusal with reason Invalid, which is all of it that a condition keeps.
  if (failure?.reason === 'FailedCreate' && /^Pod "[^"]*" is invalid: /.test(failure.message ?? '')) {
    return `${subject}: ${failure.message}`;
  }
  const nameless = pods.find(hasInvalidImageName);
  return nameless && `${subject}: ${INVALID_IMAGE_NAME} in pod ${goQuote(nameless.metadata.name)}`;
}

/** True if one of the pod's containers waits for an image whose name cannot be parsed. Pure. */
export function hasInvalidImageName({ status }: Pod): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.some(({ state }) => state?.waiting?.reason === INVALID_IMAGE_NAME);
}
