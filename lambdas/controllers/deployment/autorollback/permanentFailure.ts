import { goQuote } from '../../../objects/go/goQuote.ts';
import type { Pod, ReplicaSet } from '../../../objects/kinds.ts';
import { replicaFailureOf } from '../replicaSets.ts';

/** A kubelet's reason for an image name that cannot be parsed, so that no registry can have the image. */
const INVALID_IMAGE_NAME = 'InvalidImageName';

/**
 * Why this ReplicaSet's pods can never run, however long one waits; `undefined` if they might. infra/adr/0005-permanent-failures.md decides which failures qualify: a template whose
 * pods are refused as invalid, and an image name that cannot be parsed. Pure.
 *
 * @param pods some of the ReplicaSet's pods; they have the same template, so one of them is enough
 */
export function permanentFailure(replicaSet: ReplicaSet, pods: readonly Pod[]): string | undefined {
  const subject = `ReplicaSet ${goQuote(replicaSet.metadata.name)} can never run its pods`;
  const failure = replicaFailureOf(replicaSet);
  // The condition keeps only the message of a refusal, not its reason Invalid.
  if (failure?.reason === 'FailedCreate' && /^Pod "[^"]*" is invalid: /.test(failure.message ?? '')) {
    return `${subject}: ${failure.message}`;
  }
  const failing = pods.find(hasInvalidImageName);
  return failing && `${subject}: ${INVALID_IMAGE_NAME} in pod ${goQuote(failing.metadata.name)}`;
}

/** True if one of the pod's containers waits for an image whose name cannot be parsed. Pure. */
export function hasInvalidImageName({ status }: Pod): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.some(({ state }) => state?.waiting?.reason === INVALID_IMAGE_NAME);
}
