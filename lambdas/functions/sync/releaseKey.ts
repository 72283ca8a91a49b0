import type { KeyItem } from '../../ports/KeyLocks.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/**
 * Gives a key's lock back. If somebody marked it dirty meanwhile, the key is sent again before that mark is cleared, so that dying between the two
 * leads to one sync more and never to one less.
 */
export async function releaseKey(
  ports: Pick<Ports, 'workQueue' | 'keyLocks'>,
  key: WorkKey,
  holder: string,
  item: KeyItem,
): Promise<'released' | 'lost'> {
  const released = await ports.keyLocks.release(key, holder, item);
  if (released !== 'dirty') return released;
  await ports.workQueue.send([{ key }]);
  const resent = await ports.keyLocks.release(key, holder, item, { resent: true });
  return resent === 'lost' ? 'lost' : 'released';
}
