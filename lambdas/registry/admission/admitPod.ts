import type { PodSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** DefaultTolerationSeconds: a pod stays this long on a node that is not ready or cannot be reached. */
const TOLERATED_SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** The priority classes that every cluster has. */
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** Applies ServiceAccount (only the name: simulated pods mount no tokens), Priority and DefaultTolerationSeconds. Changes the draft. */
export function admitPod(draft: KubernetesObject): ApiError | undefined {
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return undefined;
  nameServiceAccount(spec);
  spec.tolerations = withDefaultTolerations(spec.tolerations ?? []);
  return setPriority(draft, spec);
}

function nameServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName = spec.serviceAccountName || 'default';
  spec.serviceAccount = spec.serviceAccountName;
}

function withDefaultTolerations(tolerations: readonly Toleration[]): Toleration[] {
  const missing = TAINTS.filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)));
  return [
    ...tolerations,
    ...missing.map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: TOLERATED_SECONDS,
    })),
  ];
}

function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

function setPriority({ metadata }: KubernetesObject, spec: PodSpec): ApiError | undefined {
  const name = metadata.name || metadata.generateName || 'Unknown';
  const className = spec.priorityClassName ?? '';
  const priority = className === '' ? 0 : SYSTEM_PRIORITIES[className];
  if (priority === undefined) return forbidden('pods', name, `no PriorityClass with name ${className} was found`);
  if (spec.priority !== undefined && spec.priority !== priority)
    return forbidden(
      'pods',
      name,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  spec.priority = priority;
  spec.preemptionPolicy ??= 'PreemptLowerPriority';
  return undefined;
}
