import { type Causes, joinCauses } from '../../ports/Causes.ts';
import { joinTraces } from '../../ports/TraceContext.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';

/**
 * Merges the messages of each key into one to look now and one to look later, at the earliest of the times. The later one stays:
 * it was asked for because a look now is too early. A key that is sent now has the causes of all its messages, unless one of them has none, and their traces. Pure.
 */
export function mergeKeys(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  const now = new Map<string, KeyToSend>();
  const later = new Map<string, KeyToSend & { readonly delayMs: number }>();
  for (const send of keys) {
    const { key, delayMs = 0, traces } = send;
    const encoded = encodeWorkKey(key);
    if (delayMs <= 0) now.set(encoded, joined(now.get(encoded), send));
    else if (delayMs < (later.get(encoded)?.delayMs ?? Number.POSITIVE_INFINITY))
      later.set(encoded, { key, delayMs, ...(traces && { traces }) });
  }
  return [...now.values(), ...later.values()];
}

function joined(known: KeyToSend | undefined, { key, causes, traces }: KeyToSend): KeyToSend {
  const both = causesOfBoth(known, causes);
  const all = joinTraces(known?.traces, traces);
  return { key, ...(both && { causes: both }), ...(all.length > 0 && { traces: all }) };
}

function causesOfBoth(known: KeyToSend | undefined, causes: Causes | undefined): Causes | undefined {
  if (!known) return causes;
  return known.causes && causes && joinCauses(known.causes, causes);
}
