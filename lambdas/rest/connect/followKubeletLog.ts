import type { Backend } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { encodeStream } from '../response/encodeStream.ts';
import { claimSlot, releasing } from '../watch/claimSlot.ts';
import { type KubeletLog, readKubeletLog } from './readKubeletLog.ts';

/**
 * Asks the pod's kubelet for a log that a client follows, on a host that limits how long an answer lasts: it takes a slot, as a watch does, and ends with its time, because a function is not told that its client has
 * gone. Throws what `readKubeletLog` throws, and TooManyRequests if all slots are taken.
 */
export async function followKubeletLog(
  request: ResourceRequest,
  kubelet: Backend,
  log: KubeletLog,
  longestMs: number,
): Promise<ReadableStream<Uint8Array>> {
  const slot = await claimSlot(request, { lifetimeMs: longestMs, isOfOne: true });
  const ended = new AbortController();
  slot.taken?.addEventListener('abort', () => ended.abort(), { once: true });
  const cancelTimer = request.dependencies.clock.setTimer(longestMs, () => ended.abort());
  const end = async () => {
    cancelTimer();
    await slot.release();
  };
  try {
    const bytes = untilAborted(await readKubeletLog(request, kubelet, log, ended.signal), ended.signal);
    return encodeStream(
      releasing(bytes, end),
      (some) => some,
      () => {
        ended.abort();
        void end();
      },
    );
  } catch (error) {
    await end();
    throw error;
  }
}

async function* untilAborted(bytes: ReadableStream<Uint8Array> | null, signal: AbortSignal) {
  try {
    if (bytes) yield* bytes as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
