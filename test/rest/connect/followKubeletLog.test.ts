import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { BackendAnswer } from '../../../lambdas/ports/BackendConnections.ts';
import { followKubeletLog } from '../../../lambdas/rest/connect/followKubeletLog.ts';
import { parseLogOptions } from '../../../lambdas/rest/connect/logOptions.ts';
import type { ResourceRequest } from '../../../lambdas/rest/request/ResourceRequest.ts';

const KUBELET = { scheme: 'https', host: '10.0.1.5', port: 10_250, isKubelet: true } as const;
const LOG = {
  pod: { metadata: { name: 'web', namespace: 'default' } } as Pod,
  container: 'main',
  options: parseLogOptions(new URLSearchParams('follow=true'), 'web'),
};
const LONGEST_MS = 60_000;

/** A host whose kubelet answers like this. It counts the slots that are taken. */
function openHost(answer: (signal: AbortSignal) => BackendAnswer) {
  const clock = new VirtualClock(0);
  const slots = { taken: 0, released: 0 };
  const release = async () => void (slots.released += 1);
  const claim = async () => {
    slots.taken += 1;
    return { status: 'claimed', release };
  };
  const send = async ({ signal }: { signal: AbortSignal }) => answer(signal);
  const dependencies = { clock, watchSlots: { claim }, backends: { send } };
  const raw = new Request('https://api/api/v1/namespaces/default/pods/web/log?follow=true');
  const request = { dependencies, raw } as unknown as ResourceRequest;
  return { clock, slots, follow: () => followKubeletLog(request, KUBELET, LOG, LONGEST_MS) };
}

/** A log with one line that goes on until its reader leaves. */
function openLog(signal: AbortSignal): BackendAnswer {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('one\n'));
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return { status: 'answered', response: new Response(body) };
}

describe('a log that is followed on a host that is not told when clients leave', () => {
  it('takes a slot, and ends with its time as if the container had ended', async () => {
    const { clock, slots, follow } = openHost(openLog);
    const reader = (await follow()).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one\n');
    expect(slots).toEqual({ taken: 1, released: 0 });
    clock.advanceBy(LONGEST_MS);
    expect((await reader.read()).done).toBe(true);
    expect(slots.released).toBe(1);
  });

  it('releases its slot and leaves the kubelet when the client leaves', async () => {
    let left: AbortSignal | undefined;
    const { slots, follow } = openHost((signal) => {
      left = signal;
      return openLog(signal);
    });
    const reader = (await follow()).getReader();
    await reader.read();
    await reader.cancel();
    expect([slots.released, left?.aborted]).toEqual([1, true]);
  });

  it('keeps no slot if the kubelet cannot be reached', async () => {
    const { slots, follow } = openHost(() => ({ status: 'unreachable', why: 'dial tcp: i/o timeout' }));
    await expect(follow()).rejects.toThrow('dial tcp: i/o timeout');
    expect(slots).toEqual({ taken: 1, released: 1 });
  });
});
