import type { Deployment } from '../../objects/kinds.ts';
import { scaledValue } from '../../objects/quantities/scaledValue.ts';
import type { Bound } from './deploymentReasons.ts';
import { desiredReplicas } from './replicaSets.ts';

/** The bounds of a rolling update in pods, resolved from numbers and from percentages of `spec.replicas`. */
export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** The most pods at any time: replicas and surge. */
  readonly ceiling: number;
  /** The fewest available pods at any time. */
  readonly floor: number;
}

/** `IsRollingUpdate`. */
export function isRollingUpdate(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type === 'RollingUpdate';
}

/**
 * `ResolveFenceposts`, with `MaxSurge`, `MaxUnavailable` and `MinAvailable`: surge rounds up, unavailability down (25 % of 10 are 3 and 2). If both come to 0, no pod
 * could ever be replaced, so 1 may be unavailable. No more pods may be unavailable than there are replicas. With any other strategy than RollingUpdate, both are 0. Pure.
 */
export function resolveFenceposts(deployment: Deployment): Fenceposts {
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

/** The bounds with the numbers that they come from. */
export interface Bounds {
  readonly ceiling: Bound;
  readonly floor: Bound;
}

export function boundsOf(deployment: Deployment): Bounds {
  const { maxSurge, maxUnavailable, ceiling, floor } = resolveFenceposts(deployment);
  const replicas = desiredReplicas(deployment);
  const given = deployment.spec?.strategy?.rollingUpdate;
  return {
    ceiling: { field: 'maxSurge', given: given?.maxSurge ?? 0, replicas, resolved: maxSurge, bound: ceiling },
    floor: {
      field: 'maxUnavailable',
      given: given?.maxUnavailable ?? 0,
      replicas,
      resolved: maxUnavailable,
      bound: floor,
    },
  };
}
