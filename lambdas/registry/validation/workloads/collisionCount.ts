import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf } from '../fieldsOf.ts';

/** Refuses a smaller or missing `status.collisionCount`: the hashes of earlier counts may be taken. Pure. */
export function collisionCountErrors(status: unknown, oldStatus: unknown): FieldError[] {
  const [count, old] = [status, oldStatus].map((one) => fieldsOf<{ collisionCount?: number }>(one).collisionCount);
  if (!isPresent(old) || (isPresent(count) && numberOf(count) >= numberOf(old))) return [];
  return [invalid('status.collisionCount', numberOf(count), 'cannot be decremented')];
}
