import type { DeploymentStrategy, RollingUpdateDeployment } from 'kubernetes-types/apps/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isValidPercent } from '../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, nonNegative, notSupported, required } from './fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf } from './fieldsOf.ts';

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
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...(amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
      ? [invalid(unavailablePath, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...((percentOf(maxUnavailable) ?? 0) > 100
      ? [invalid(unavailablePath, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

function validateIntOrPercent(value: unknown, path: string): FieldError[] {
  if (typeof value === 'string') return invalidEach(path, value, isValidPercent(value));
  return nonNegative(path, numberOf(value));
}

function percentOf(value: unknown): number | undefined {
  return typeof value === 'string' && isValidPercent(value).length === 0 ? Number.parseInt(value, 10) : undefined;
}

/** Returns the number, with or without a percent sign; 0 for any other text. */
function amountOf(value: unknown): number {
  if (typeof value !== 'string') return numberOf(value);
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
