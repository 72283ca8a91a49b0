import { createHash } from 'node:crypto';

/** Returns 64 hexadecimal digits that depend only on the parts, for values that a real runtime would draw or assign. */
export function stableHex(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex');
}

/** Returns an integer below 2^32 that depends only on the parts. */
export function stableInteger(...parts: readonly (string | number)[]): number {
  return Number.parseInt(stableHex(...parts).slice(0, 8), 16);
}
