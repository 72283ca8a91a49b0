import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';

/**
 * One message a key to look at now, and, besides, one to look at later, the earliest: a delayed look is asked for because nothing to be seen now will
 * do. Pure.
 */
export function mergeKeys(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  const now = new Map<string, KeyToSend>();
  const later = new Map<string, KeyToSend & { readonly delayMs: number }>();
  for (const { key, delayMs = 0 } of keys) {
    const encoded = encodeWorkKey(key);
    if (delayMs <= 0) now.set(encoded, { key });
    else if (delayMs < (later.get(encoded)?.delayMs ?? Number.POSITIVE_INFINITY)) later.set(encoded, { key, delayMs });
  }
  return [...now.values(), ...later.values()];
}
