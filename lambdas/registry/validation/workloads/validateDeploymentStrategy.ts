import type { DeploymentStrategy, RollingUpdateDeployment } from 'kubernetes-types/apps/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { amountOf, intOrPercent, notMoreThanAll } from '../validateIntOrPercent.ts';

const TYPES = ['Recreate', 'RollingUpdate'];

/** Validates a Deployment's strategy. */
export function validateDeploymentStrategy(strategy: unknown, path: string): FieldError[] {
  const { type, rollingUpdate } = fieldsOf<DeploymentStrategy>(strategy);
  const rollingPath = `${path}.rollingUpdate`;
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return isPresent(rollingUpdate) ? [forbidden(rollingPath, detail)] : [];
  }
  if (type !== 'RollingUpdate') return [notSupported(path, strategy ?? textOf(type), TYPES)];
  if (!isPresent(rollingUpdate)) return [required(rollingPath, 'this should be defaulted and never be nil')];
  return validateRollingUpdate(rollingUpdate, rollingPath);
}

function validateRollingUpdate(rollingUpdate: unknown, path: string): FieldError[] {
  const { maxSurge, maxUnavailable } = fieldsOf<RollingUpdateDeployment>(rollingUpdate);
  const unavailablePath = `${path}.maxUnavailable`;
  return [
    ...intOrPercent(maxUnavailable, unavailablePath),
    ...intOrPercent(maxSurge, `${path}.maxSurge`),
    ...(amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
      ? [invalid(unavailablePath, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...notMoreThanAll(maxUnavailable, unavailablePath),
  ];
}
