import { CelError, CelList, CelMap, CelOptional, type CelResult, LiteralMap } from './CelValue.ts';

/**
 * The most values that one value of an expression may stand for; four characters count as a value. A value that refers to another one twice stands for twice as much, though it
 * takes no more memory: whoever compares or prints it walks through all of it.
 */
export const MAX_COMPOSED_SIZE = 1_000_000;

const SIZES = new WeakMap<object, number>();

/** Returns how many values a value stands for. What an object brought counts with its members alone: its size is limited already. Each list and each map is measured once. */
export function composedSizeOf(value: CelResult): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return 1 + Math.floor(value.length / 4);
  if (value instanceof CelOptional) return value.value === undefined ? 1 : composedSizeOf(value.value);
  if (value instanceof CelError) return 1;
  if (!(value instanceof CelList) && !(value instanceof CelMap)) return 1;
  const known = SIZES.get(value);
  if (known !== undefined) return known;
  const size = value instanceof CelList ? listSize(value) : mapSize(value);
  SIZES.set(value, size);
  return size;
}

/** Measures a value anew when it is asked for next: a fold has added to it. */
export function forgetSize(value: CelResult): void {
  if (typeof value === 'object' && value !== null) SIZES.delete(value);
}

function listSize({ items }: CelList): number {
  let size = 1;
  for (const item of items) size += composedSizeOf(item);
  return size;
}

function mapSize({ source }: CelMap): number {
  if (!(source instanceof LiteralMap)) return 1 + source.size;
  let size = 1;
  for (const key of source.keys()) size += composedSizeOf(key) + composedSizeOf(source.get(key) ?? null);
  return size;
}
