import type { Clock } from '../../ports/Clock.ts';
import type { KeyItemReader } from '../../ports/KeyItemReader.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { hasSeen } from '../hasSeen.ts';

/**
 * Returns the messages without those whose changes their keys have seen already: the writer of a change sends its keys itself (`DirectKeys`), and most of their syncs have ended before the stream brings the change. What asks for a
 * later look stays. If the keys cannot be read, all messages stay.
 */
export async function leaveOutSeen(
  { keyItems, clock }: { readonly keyItems: KeyItemReader; readonly clock: Pick<Clock, 'now'> },
  keys: readonly KeyToSend[],
): Promise<readonly KeyToSend[]> {
  const caused = keys.filter(({ causes, delayMs = 0 }) => causes && delayMs <= 0);
  if (caused.length === 0) return keys;
  const items = await keyItems.read(caused.map(({ key }) => key)).catch(() => new Map<string, never>());
  const nowMs = clock.now();
  return keys.filter(({ key, delayMs = 0, causes }) => {
    const item = items.get(encodeWorkKey(key));
    return delayMs > 0 || !item || !hasSeen(item, causes, nowMs);
  });
}
