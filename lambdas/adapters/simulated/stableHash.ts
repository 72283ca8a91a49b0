import { createHash } from 'node:crypto';

/** 64 hexadecimal digits that depend on the parts and nothing else: where a real runtime would draw or assign something. */
export function stableHex(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('/')).digest('hex');
}

/** An integer below 2^32 out of the same. */
export function stableInteger(...parts: readonly (string | number)[]): number {
  return Number.parseInt(stableHex(...parts).slice(0, 8), 16);
}
