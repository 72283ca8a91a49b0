import type { PodSpec, Toleration } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** DefaultTolerationSeconds: a pod stays this long on a node that is not ready or cannot be reached. */
const TOLERATED_SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Applies DefaultTolerationSeconds. Changes the draft. */
export function admitPod(draft: KubernetesObject): void {
  const spec = draft['spec'] as PodSpec | undefined;
  // Validation refuses a pod without a spec.
  if (spec === undefined) return;
  spec.tolerations = withDefaultTolerations(spec.tolerations ?? []);
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
