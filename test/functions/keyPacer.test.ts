import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Controller } from '../../lambdas/controllers/Controller.ts';
import { createEnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
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

/** What a key may send at once after a pause. */
const BURST = 10;

function send(keys: readonly KeyToSend[]): readonly (number | undefined)[] {
  const began = pacer.now();
  const messages = pacer.pace(keys);
  pacer.accepted(messages, began);
  return messages.map(({ delayMs }) => delayMs);
}

describe('the messages of a key that changes all the time', () => {
  test('go out at once until its bucket is empty, then one is due a second later, which the others share', () => {
    for (let at = 0; at < BURST; at += 1) expect(send([WEB])).toEqual([undefined]);
    expect(send([WEB])).toEqual([1_000]);
    clock.advanceBy(100);
    expect(send([WEB])).toEqual([]);
  });

  test('take a token for every sixteen changes that they bring, since a look at a crowd of pods costs more', () => {
    const causes = new Set(Array.from({ length: 150 }, (_, at) => `pods ${at}`));
    expect(send([{ ...WEB, causes }])).toEqual([undefined]);
    expect(send([WEB])).toEqual([1_000]);
  });

  test('go out at once again, five a second', () => {
    emptyBucket();
    const sent = Array.from({ length: 100 }, () => {
      clock.advanceBy(100);
      return send([WEB]);
    });
    expect(sent.flat().filter((delayMs) => delayMs === undefined)).toHaveLength(50);
    clock.advanceBy(60_000);
    for (let at = 0; at < BURST; at += 1) expect(send([WEB])).toEqual([undefined]);
    expect(send([WEB])).toEqual([1_000]);
  });

  test('are sent again when the one that they share may be received before they are seen', () => {
    emptyBucket();
    expect(send([WEB])).toEqual([1_000]);
    clock.advanceBy(850);
    emptyBucket();
    expect(send([WEB])).toEqual([]);
    clock.advanceBy(100);
    emptyBucket();
    // The last message is due in 50 ms.
    expect(send([WEB])).toEqual([1_000]);
  });

  test('are sent if the queue did not accept the one that they would share', () => {
    emptyBucket();
    expect(pacer.pace([WEB])).toHaveLength(1);
    expect(send([WEB])).toEqual([1_000]);
  });

  test('are sent after the process was frozen, or its wall clock was set back', () => {
    emptyBucket();
    send([WEB]);
    expect(send([WEB])).toEqual([]);
    // The steady clock stood still for a minute.
    clock.step(60_000);
    emptyBucket();
    expect(send([WEB])).toEqual([1_000]);
    clock.step(-60_000);
    clock.advanceBy(950);
    emptyBucket();
    expect(send([WEB])).toEqual([1_000]);
  });

  test('fill no bucket while the wall clock is set back, and take none from it', () => {
    emptyBucket();
    clock.step(-60_000);
    expect(send([WEB])).toEqual([1_000]);
    expect(send([WEB])).toEqual([]);
  });

  test('are not those of pods, or those that were asked for later', () => {
    for (let n = 0; n < 3; n += 1) {
      expect(send([POD, { ...WEB, delayMs: 30_000 }])).toEqual([undefined, 30_000]);
    }
    expect(send([WEB])).toEqual([undefined]);
  });

  test('are not those of an object of which more than the status changed', async () => {
    const workQueue = new FakeQueue();
    const keysFor = () => [WEB];
    const controllers = [{ watches: ['replicasets.apps', 'pods'], keysFor }] as unknown as readonly Controller[];
    const enqueue = createEnqueueHandler({
      clock,
      workQueue,
      controllers,
      log: () => {},
      pacer,
    });
    const web = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: metadataOf('web', '1') };
    const counted = { ...web, metadata: metadataOf('web', '2'), status: { replicas: 1 } };
    const scaled = { ...counted, metadata: metadataOf('web', '3'), spec: { replicas: 5 } };
    const resource = 'replicasets.apps';
    const pod = { ...web, kind: 'Pod', metadata: metadataOf('web-1', '9') };
    emptyBucket();
    await enqueue([{ type: 'ADDED', resource: 'pods', version: 9, after: pod }]);
    await enqueue([{ type: 'MODIFIED', resource, version: 2, before: web, after: counted }]);
    await enqueue([{ type: 'MODIFIED', resource, version: 3, before: counted, after: scaled }]);
    expect(workQueue.delays).toEqual([1_000, undefined]);
  });
});

/** Takes the tokens that are left, for messages that the queue does not accept. */
function emptyBucket(): void {
  for (let at = 0; at < BURST; at += 1) pacer.pace([WEB]);
}

function metadataOf(name: string, resourceVersion: string) {
  return { name, namespace: 'default', uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' };
}

/** Notes the delays of the messages that are sent. */
class FakeQueue {
  readonly delays: (number | undefined)[] = [];

  async send(keys: readonly KeyToSend[]): Promise<void> {
    this.delays.push(...keys.map(({ delayMs }) => delayMs));
  }
}
