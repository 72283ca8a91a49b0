import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { KeyPacer } from '../../lambdas/functions/enqueue/KeyPacer.ts';
import type { KeyToSend } from '../../lambdas/ports/WorkQueue.ts';

const WEB: KeyToSend = { key: { controller: 'replicaset', namespace: 'default', name: 'web' } };
const POD: KeyToSend = { key: { controller: 'pod', namespace: 'default', name: 'web-1' } };

let clock: VirtualClock;
let pacer: KeyPacer;
beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  pacer = new KeyPacer(clock);
});

function send(keys: readonly KeyToSend[]): readonly (number | undefined)[] {
  const began = pacer.now();
  const messages = pacer.pace(keys);
  pacer.accepted(messages, began);
  return messages.map(({ delayMs }) => delayMs);
}

describe('the messages of a key that changes all the time', () => {
  test('are one at once, then one in each second', () => {
    expect(send([WEB])).toEqual([undefined]);
    clock.advanceBy(10);
    expect(send([WEB])).toEqual([1_000]);
    clock.advanceBy(800);
    expect(send([WEB])).toEqual([]);
    clock.advanceBy(150);
    // The last message is due in 50 ms. It may be received before this change is seen.
    expect(send([WEB])).toEqual([1_000]);
    clock.advanceBy(3_000);
    expect(send([WEB])).toEqual([undefined]);
  });

  test('are sent if the queue did not accept the one that they would share', () => {
    expect(send([WEB])).toEqual([undefined]);
    clock.advanceBy(10);
    pacer.pace([WEB]);
    expect(send([WEB])).toEqual([1_000]);
  });

  test('are sent after the process was frozen, or its wall clock was set back', () => {
    send([WEB]);
    send([WEB]);
    expect(send([WEB])).toEqual([]);
    clock.step(60_000);
    expect(send([WEB])).toHaveLength(1);
    clock.advanceBy(5_000);
    send([WEB]);
    send([WEB]);
    clock.step(-60_000);
    clock.advanceBy(950);
    expect(send([WEB])).toHaveLength(1);
  });

  test('are not those of pods, or those that were asked for later', () => {
    for (let n = 0; n < 3; n += 1) {
      expect(send([POD, { ...WEB, delayMs: 30_000 }])).toEqual([undefined, 30_000]);
    }
    expect(send([WEB])).toEqual([undefined]);
  });
});
