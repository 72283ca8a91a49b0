import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';

/**
 * Merges the messages of each key into one to look now and one to look later, at the earliest of the times. The later one stays:
 * it was asked for because a look now is too early. Pure.
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
