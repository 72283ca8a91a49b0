import type { Deployment } from '../../objects/kinds.ts';
import { desiredReplicas } from './replicaCounts.ts';

/** Between what a rolling update may move: pods, resolved from numbers and percentages of `spec.replicas`. */
export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** The most pods at any time: replicas and surge. */
  readonly ceiling: number;
  /** The fewest available pods at any time. */
  readonly floor: number;
}

export function isRollingUpdate(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type === 'RollingUpdate';
}

/**
 * `MaxSurge` and `MaxUnavailable` of Kubernetes: surge rounds up, unavailability down (25 % of 10 are 3 and 2). If both come to 0, nothing could ever
 * move, so 1 may be unavailable. Never more are unavailable than there are replicas. Strategies other than RollingUpdate have neither. Pure.
 */
export function fencepostsOf(deployment: Deployment): Fenceposts {
  const replicas = desiredReplicas(deployment);
  const { maxSurge, maxUnavailable } = isRollingUpdate(deployment)
    ? resolve(deployment, replicas)
    : { maxSurge: 0, maxUnavailable: 0 };
  return { maxSurge, maxUnavailable, ceiling: replicas + maxSurge, floor: replicas - maxUnavailable };
}

function resolve(deployment: Deployment, replicas: number): Pick<Fenceposts, 'maxSurge' | 'maxUnavailable'> {
  const rollingUpdate = deployment.spec?.strategy?.rollingUpdate;
  const maxSurge = scaledValue(rollingUpdate?.maxSurge, replicas, Math.ceil);
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable, replicas, Math.floor);
  const maxUnavailable = maxSurge === 0 && unavailable === 0 ? 1 : unavailable;
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** `intstr.GetScaledValueFromIntOrPercent`. Throws for text that is no percentage, which validation lets nobody store. */
function scaledValue(value: number | string | undefined, total: number, round: (exact: number) => number): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}

/** How the ceiling came about, in words: `maxSurge 25% of 10 rounds up to 3, so at most 13 pods`. */
export function ceilingInWords(deployment: Deployment): string {
  const { maxSurge, ceiling } = fencepostsOf(deployment);
  return `${postInWords(deployment, 'maxSurge', 'up', maxSurge)}, so at most ${ceiling} pods`;
}

/** How the floor came about, in words: `maxUnavailable 25% of 10 rounds down to 2, so at least 8 available`. */
export function floorInWords(deployment: Deployment): string {
  const { maxUnavailable, floor } = fencepostsOf(deployment);
  return `${postInWords(deployment, 'maxUnavailable', 'down', maxUnavailable)}, so at least ${floor} available`;
}

function postInWords(
  deployment: Deployment,
  post: 'maxSurge' | 'maxUnavailable',
  way: string,
  resolved: number,
): string {
  const given = deployment.spec?.strategy?.rollingUpdate?.[post] ?? 0;
  if (typeof given !== 'string')
    return given === resolved ? `${post} is ${given}` : `${post} ${given} counts as ${resolved}`;
  return `${post} ${given} of ${desiredReplicas(deployment)} rounds ${way} to ${resolved}`;
}
