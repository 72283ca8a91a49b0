import { describe, expect, test } from 'vitest';
import { chooseSlot, type SlotChoice } from '../../../../lambdas/adapters/aws/log/chooseSlot.ts';
import { decodeWatchSlot, encodeWatchSlot } from '../../../../lambdas/adapters/aws/log/watchSlot.ts';
import {
  array,
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  property,
  string,
  tuple,
} from '../../../support/seededFastCheck.ts';

const NOW_MS = Date.UTC(2026, 0, 1);
const LIFETIME_MS = 60_000;

/** Slots in their order: whose watch it is, how long ago it began in seconds, and whether it is of one object. */
type Held = readonly (readonly [user: string, ageSeconds: number, isOfOne?: boolean])[];

function choose(held: Held, user: string, isOfOne = false, count = held.length): SlotChoice {
  const stored = held.map(([holder, ageSeconds, ofOne = false], slot) => {
    const watch = { user: holder, isOfOne: ofOne, lifetimeMs: LIFETIME_MS };
    return [slot, encodeWatchSlot(watch, NOW_MS - ageSeconds * 1000, slot / 100)] as const;
  });
  return chooseSlot(new Map(stored), count, { user, isOfOne }, NOW_MS);
}

function outcome(choice: SlotChoice): string {
  switch (choice.status) {
    case 'free':
      return `free ${choice.slots.join(' ')}`;
    case 'push':
      return `push ${choice.slot}`;
    case 'wait':
      return `wait ${choice.retryAfterMs}`;
  }
}

describe('the slot of a new watch', () => {
  test.each<[what: string, held: Held, user: string, isOfOne: boolean, wanted: string]>([
    ['is a free one', [['ann', 30]], 'ann', false, 'free 1'],
    [
      'is one whose time is over',
      [
        ['ann', 30],
        ['ann', 66],
      ],
      'ann',
      false,
      'free 1',
    ],
    [
      'is the oldest one of the same user',
      [
        ['ann', 20],
        ['ann', 30],
      ],
      'ann',
      false,
      'push 1',
    ],
    [
      'is the oldest one of the user who has most',
      [
        ['bob', 40],
        ['ann', 20],
        ['ann', 30],
        ['ann', 10],
      ],
      'bob',
      false,
      'push 2',
    ],
    [
      'is an own one if the new watch would make its user the one who has most',
      [
        ['bob', 30],
        ['ann', 20],
        ['ann', 40],
      ],
      'ann',
      false,
      'push 2',
    ],
    [
      'is an own one among equals',
      [
        ['bob', 40],
        ['ann', 20],
      ],
      'ann',
      false,
      'push 1',
    ],
    [
      'is the oldest one of all if each has one',
      [
        ['bob', 20],
        ['ann', 40],
      ],
      'carl',
      false,
      'push 1',
    ],
    [
      'is none that began in the last seconds',
      [
        ['ann', 1],
        ['ann', 3],
      ],
      'ann',
      false,
      'wait 2050',
    ],
    [
      'is one that began a second ago if somebody waits for one object',
      [
        ['ann', 0.5],
        ['ann', 1],
      ],
      'ann',
      true,
      'push 1',
    ],
    [
      'is one of many objects before one of one object',
      [
        ['ann', 50, true],
        ['ann', 20],
      ],
      'ann',
      false,
      'push 1',
    ],
    [
      'is one of one object if there are no others',
      [
        ['ann', 50, true],
        ['ann', 20, true],
      ],
      'ann',
      true,
      'push 0',
    ],
    [
      'is none of one object that began in the last seconds',
      [
        ['ann', 3, true],
        ['ann', 2, true],
      ],
      'ann',
      true,
      'wait 2050',
    ],
  ])('%s', (_, held, user, isOfOne, wanted) => {
    const count = held.length === 1 ? 2 : held.length;
    expect(outcome(choose(held, user, isOfOne, count))).toBe(wanted);
  });

  test('is none that a release took which did not say whose it is, before its time is over', () => {
    const taken = new Map([[0, `${NOW_MS + 20_000}.8125`]]);
    expect(chooseSlot(taken, 1, { user: 'ann', isOfOne: true }, NOW_MS)).toEqual({
      status: 'wait',
      retryAfterMs: 20_000,
    });
  });

  test('never takes one from a user who has no more than the new watch’s user would have', () => {
    const watch = tuple(constantFrom('ann', 'bob', 'carl'), integer({ min: 0, max: 60 }), boolean());
    assert(
      property(array(watch, { minLength: 1, maxLength: 12 }), constantFrom('ann', 'bob', 'dora'), (held, user) => {
        const choice = choose(held, user);
        if (choice.status !== 'push') return;
        const victim = held[choice.slot]?.[0];
        const countOf = (one: string) => held.filter(([holder]) => holder === one).length;
        if (victim !== user) expect(countOf(victim ?? '')).toBeGreaterThanOrEqual(countOf(user) + 1);
      }),
    );
  });
});

test('a slot keeps what it is told, in the 38 digits of a number', () => {
  assert(
    property(
      string(),
      boolean(),
      integer({ min: 0, max: 900_000 }),
      double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (user, isOfOne, lifetimeMs, random) => {
        const stored = encodeWatchSlot({ user, isOfOne, lifetimeMs }, NOW_MS, random);
        expect(stored).toMatch(/^\d{13}\.\d{23}[1-9]$/);
        expect(decodeWatchSlot(stored)).toMatchObject({
          beganMs: NOW_MS,
          untilMs: NOW_MS + lifetimeMs + 5_000,
          isOfOne,
        });
        // What the release before reads.
        expect(Math.floor(Number(stored))).toBe(NOW_MS + lifetimeMs + 5_000);
      },
    ),
  );
});
