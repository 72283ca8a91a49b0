import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Controller } from '../../lambdas/controllers/Controller.ts';
import { createEnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import { KeyPacer } from '../../lambdas/functions/enqueue/KeyPacer.ts';
import type { KeyToSend, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';

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

  test('are not those of an object of which more than the status changed', async () => {
    const workQueue = new FakeQueue();
    const keysFor = () => [WEB];
    const controllers = [{ watches: ['replicasets.apps', 'pods'], keysFor }] as unknown as readonly Controller[];
    const enqueue = createEnqueueHandler({
      workQueue: workQueue as unknown as WorkQueue,
      controllers,
      log: () => {},
      pacer,
    });
    const web = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: metadataOf('web', '1') };
    const counted = { ...web, metadata: metadataOf('web', '2'), status: { replicas: 1 } };
    const scaled = { ...counted, metadata: metadataOf('web', '3'), spec: { replicas: 5 } };
    const resource = 'replicasets.apps';
    const pod = { ...web, kind: 'Pod', metadata: metadataOf('web-1', '9') };
    await enqueue([{ type: 'ADDED', resource: 'pods', version: 9, after: pod }]);
    await enqueue([{ type: 'MODIFIED', resource, version: 2, before: web, after: counted }]);
    await enqueue([{ type: 'MODIFIED', resource, version: 3, before: counted, after: scaled }]);
    expect(workQueue.delays).toEqual([undefined, 1_000, undefined]);
  });
});

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
