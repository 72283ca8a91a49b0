import { isValidPercent } from '../../objects/nameFormats.ts';
import type { Check } from './checks.ts';
import { invalid, invalidEach, nonNegative } from './fieldErrors.ts';
import { numberOf } from './fieldsOf.ts';

/** A number that is not negative, or a percentage: `3`, `25%`. */
export const intOrPercent: Check = (value, path) =>
  typeof value === 'string' ? invalidEach(path, value, isValidPercent(value)) : nonNegative(path, numberOf(value));

/** A percentage up to 100. Other values pass. */
export const notMoreThanAll: Check = (value, path) =>
  (percentOf(value) ?? 0) > 100 ? [invalid(path, value, 'must not be greater than 100%')] : [];

function percentOf(value: unknown): number | undefined {
  return typeof value === 'string' && isValidPercent(value).length === 0 ? Number.parseInt(value, 10) : undefined;
}

/** Returns the number, with or without a percent sign; 0 for any other text. */
export function amountOf(value: unknown): number {
  if (typeof value !== 'string') return numberOf(value);
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
