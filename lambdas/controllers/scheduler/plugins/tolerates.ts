import type { Taint, Toleration } from 'kubernetes-types/core/v1.js';

/** Whether one of the tolerations tolerates the taint, as `ToleratesTaint`. Pure. */
export function tolerates(tolerations: readonly Toleration[] = [], taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesOne(toleration, taint));
}

function toleratesOne(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '');
}
