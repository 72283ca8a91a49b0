import type { Taint, Toleration } from 'kubernetes-types/core/v1.js';

/** Whether the toleration tolerates the taint, as `ToleratesTaint`: an empty effect, key or value matches any, with operator Exists. Pure. */
export function toleratesTaint({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return Boolean(key) && (value ?? '') === (taint.value ?? '');
}
