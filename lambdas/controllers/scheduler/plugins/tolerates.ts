import type { Taint, Toleration } from 'kubernetes-types/core/v1.js';
import { toleratesTaint } from '../../../objects/pods/tolerations.ts';

/** Whether one of the tolerations tolerates the taint. Pure. */
export function tolerates(tolerations: readonly Toleration[] = [], taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, taint));
}
