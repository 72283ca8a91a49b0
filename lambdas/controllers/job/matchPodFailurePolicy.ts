import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from 'kubernetes-types/batch/v1.js';
import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/** What a Job's podFailurePolicy says of a failed pod. */
export interface PolicyMatch {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count' | undefined;
  /** Whether the failure counts against the backoff limits. */
  readonly counts: boolean;
  /** Why the Job fails; only with `FailJob`. */
  readonly message?: string;
}

const COUNTED: PolicyMatch = { action: undefined, counts: true };

/** Finds the first rule that matches a failed pod; without a policy or a match the failure counts. Kubernetes' function of this name. Pure. */
export function matchPodFailurePolicy(policy: PodFailurePolicy | undefined, pod: Pod): PolicyMatch {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    switch (rule.action) {
      case 'FailJob':
        return { action: 'FailJob', counts: true, message: `${cause} matching FailJob rule at index ${index}` };
      case 'FailIndex':
        return { action: 'FailIndex', counts: true };
      case 'Ignore':
        return { action: 'Ignore', counts: false };
      case 'Count':
        return { action: 'Count', counts: true };
    }
  }
  return COUNTED;
}

/** Returns why the rule matches, as a message begins; `undefined` if it does not match. */
function causeOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace = '', name } = pod.metadata;
  if (onExitCodes) {
    const container = matchOnExitCodes(pod, onExitCodes);
    const exitCode = container?.state?.terminated?.exitCode;
    return container && `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

/** Regular containers are looked at before init containers. A container that runs, or has succeeded, never matches. */
function matchOnExitCodes(
  { status }: Pod,
  wanted: PodFailurePolicyOnExitCodesRequirement,
): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses].find(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    if (exitCode === 0 || (wanted.containerName !== undefined && wanted.containerName !== name)) return false;
    return wanted.values.includes(exitCode) === (wanted.operator === 'In');
  });
}
