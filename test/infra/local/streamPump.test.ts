import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StreamPump } from '../../../infra/local/StreamPump.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { ChangeStream } from '../../../lambdas/adapters/embedded/ChangeStream.ts';
import { StoreHealth } from '../../../lambdas/adapters/embedded/StoreHealth.ts';
import { type Change, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import { advance } from '../../support/advance.ts';

const T = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

let clock: VirtualClock;
let stream: ChangeStream;
let pump: StreamPump;
let version = 0;
/** What was handled, in order, `name@version`; and when the changes of `poison` were tried. */
let handled: string[] = [];
let triedAtMs: number[] = [];
let isHealed = false;

function change(name: string): Change {
  version += 1;
  const metadata = {
    name,
    namespace: 'default',
    uid: name,
    resourceVersion: `${version}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return { type: 'ADDED', resource: 'pods', version, after: { apiVersion: 'v1', kind: 'Pod', metadata } };
}

async function handler(changes: readonly Change[]): Promise<readonly Change[]> {
  const fails = (one: Change) => subjectOf(one).metadata.name === 'poison' && !isHealed;
  if (changes.some(fails)) triedAtMs.push(clock.now() - T);
  handled.push(...changes.filter((one) => !fails(one)).map((one) => `${subjectOf(one).metadata.name}@${one.version}`));
  return changes.filter(fails);
}

/** Appends changes to the stream and lets the pump come to rest. */
async function write(...names: string[]): Promise<void> {
  stream.append(names.map(change));
  stream.wake();
  await advance(clock, 0);
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  clock = new VirtualClock(T);
  stream = new ChangeStream(new StoreHealth(() => {}));
  version = 0;
  handled = [];
  triedAtMs = [];
  isHealed = false;
  pump = new StreamPump({ stream, clock, handler });
  pump.start();
});

afterEach(() => pump.stop());

describe('a change that cannot be turned into keys', () => {
  test('holds up no change of another object, neither of its own batch nor later', async () => {
    await write('poison', 'web');
    await write('api');
    expect(handled).toEqual(['web@2', 'api@3']);
  });

  test('is tried again after ever longer waits, of a minute at most, until it succeeds', async () => {
    await write('poison');
    await advance(clock, 3 * MINUTE_MS);
    const first = [0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 25_500, 51_100, 102_300, 162_300];
    expect(triedAtMs).toEqual(first);
    isHealed = true;
    await advance(clock, MINUTE_MS);
    expect(handled).toEqual(['poison@1']);
    await write('web');
    await advance(clock, 3 * MINUTE_MS);
    expect(handled).toEqual(['poison@1', 'web@2']);
  });

  test('comes before the later changes of its object, which wait for it', async () => {
    await write('poison', 'web');
    await write('poison', 'web');
    isHealed = true;
    await write('poison');
    expect(handled).toEqual(['web@2', 'web@4']);
    await advance(clock, 100);
    expect(handled).toEqual(['web@2', 'web@4', 'poison@1', 'poison@3', 'poison@5']);
  });

  test('does not keep the stream from being drained until it is due', async () => {
    await write('poison', 'web');
    expect(pump.isDrained()).toBe(true);
    isHealed = true;
    clock.advanceBy(100);
    expect(pump.isDrained()).toBe(false);
    await pump.progress();
    expect(pump.isDrained()).toBe(true);
    expect(handled).toEqual(['web@2', 'poison@1']);
  });
});

test('the event loop turns while many changes are handled, and their order stays', async () => {
  await pump.stop();
  const sizes: number[] = [];
  let turns = 0;
  pump = new StreamPump({
    stream,
    clock,
    handler: (changes) => {
      sizes.push(changes.length);
      return handler(changes);
    },
    giveTurn: async () => {
      turns += 1;
    },
  });
  pump.start();
  const names = Array.from({ length: 150 }, (_, index) => `web-${index}`);
  await write(...names);
  expect(sizes).toEqual([64, 64, 22]);
  expect(turns).toBe(2);
  expect(handled).toEqual(names.map((name, index) => `${name}@${index + 1}`));
});
