import { expect } from 'vitest';
import type { Charge, GrowingRequest, MeasuredApi } from './MeasuredApi.ts';

/** Each is twice the one before. An upper limit hides what is worst just below it. */
const SHARES = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1] as const;

/** A request of twice the size may take this many times as much of each. What is linear takes 2, what sorts a little more, what is quadratic 4. */
const MAX_GROWTH = 2.5;
/** What differs for no reason of size: a map that grows by a level, a number with one digit more. */
const NOISE = { steps: 3_000, keptBytes: 3_000, answeredBytes: 3_000 };

/**
 * Lets a request grow, and expects that what it takes grows no faster than the request does, or that it ends in the one Status of requests that ask for too much. Steps and bytes are counted, and do not depend
 * on the machine.
 */
export async function expectBoundedGrowth(api: MeasuredApi, request: GrowingRequest): Promise<void> {
  const faster: string[] = [];
  let smaller: Charge | undefined;
  for (const share of SHARES) {
    const charge = await api.charge(request, share);
    if (charge.isRefused) return;
    if (smaller) faster.push(...growingFaster(smaller, charge));
    smaller = charge;
  }
  expect(faster, `what grows faster than ${request.name}, and is not refused`).toEqual([]);
}

/** `steps from 1000 to 4000, for 20 bytes instead of 10` */
function growingFaster(smaller: Charge, larger: Charge): string[] {
  // A body that reached its largest useful size does not grow any more.
  const ratio = Math.max(1, larger.sentBytes / smaller.sentBytes);
  return (['steps', 'keptBytes', 'answeredBytes'] as const)
    .filter((what) => larger[what] > smaller[what] * ratio * (MAX_GROWTH / 2) + NOISE[what])
    .map((what) => {
      const sent = `for ${larger.sentBytes} bytes instead of ${smaller.sentBytes}`;
      return `${what} from ${Math.round(smaller[what])} to ${Math.round(larger[what])}, ${sent}`;
    });
}
