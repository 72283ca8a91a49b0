import { CelList, CelMap, CelOptional, type CelValue } from './CelValue.ts';

/** CEL's `size()`: characters of a text, bytes, items, members; `undefined` for what has no size. */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === 'string') return characterCount(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList) return value.items.length;
  return value instanceof CelMap ? value.source.size : undefined;
}

/** The size that costs are computed from: 1 for what has none. */
export function costSizeOf(value: CelValue): number {
  if (value instanceof CelOptional && value.value !== undefined) return costSizeOf(value.value);
  return sizeOf(value) ?? 1;
}

/** Counts code points: a pair of surrogates is one character. */
function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    const followsHigh = index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (!(isLow && followsHigh)) count += 1;
  }
  return count;
}
