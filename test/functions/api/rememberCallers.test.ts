import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { rememberCallers } from '../../../lambdas/functions/api/rememberCallers.ts';

const MINUTE_MS = 60_000;
const USER = { username: 'jane', uid: 'u1', groups: [] };

/** Callers whose answers come when the test gives them. */
function open() {
  const clock = new VirtualClock(0);
  const asked: (readonly string[])[] = [];
  let answer: () => Promise<typeof USER | undefined> = async () => USER;
  const authenticate = rememberCallers((authorization) => {
    asked.push(authorization);
    return answer();
  }, clock);
  const answerWith = (next: typeof answer) => {
    answer = next;
  };
  return { clock, asked, authenticate, answerWith };
}

describe('a caller that was identified', () => {
  it('is remembered for five minutes', async () => {
    const { clock, asked, authenticate } = open();
    expect(await authenticate(['Bearer a'])).toBe(USER);
    clock.advanceBy(5 * MINUTE_MS - 1);
    expect(await authenticate(['Bearer a'])).toBe(USER);
    expect(asked).toEqual([['Bearer a']]);
    clock.advanceBy(1);
    await authenticate(['Bearer a']);
    expect(asked).toHaveLength(2);
  });

  it('is asked for once by requests that come at the same time', async () => {
    const { asked, authenticate } = open();
    await Promise.all([authenticate(['Bearer a']), authenticate(['Bearer a']), authenticate(['Bearer b'])]);
    expect(asked).toEqual([['Bearer a'], ['Bearer b']]);
  });

  it.each([
    ['one token and two', ['Bearer a'], ['Bearer a', 'Bearer a']],
    ['a value with a comma and two values', ['Bearer a,b'], ['Bearer a', 'b']],
  ])('is not taken for another: %s', async (_, one, other) => {
    const { asked, authenticate } = open();
    await authenticate(one);
    await authenticate(other);
    expect(asked).toEqual([one, other]);
  });
});

describe('a caller that was not identified', () => {
  it('is asked for again after a refusal', async () => {
    const { asked, authenticate, answerWith } = open();
    answerWith(async () => undefined);
    expect(await authenticate(['Bearer a'])).toBeUndefined();
    answerWith(async () => USER);
    expect(await authenticate(['Bearer a'])).toBe(USER);
    expect(asked).toHaveLength(2);
  });

  it('is asked for again after STS could not be reached', async () => {
    const { authenticate, answerWith } = open();
    answerWith(() => Promise.reject(new Error('timeout')));
    await expect(authenticate(['Bearer a'])).rejects.toThrow('timeout');
    answerWith(async () => USER);
    expect(await authenticate(['Bearer a'])).toBe(USER);
  });
});
