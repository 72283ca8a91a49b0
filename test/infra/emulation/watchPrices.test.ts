import { describe, expect, it } from 'vitest';
import {
  containerMonth,
  crossing,
  functionWatchMonth,
  machineMonth,
} from '../../../infra/emulation/bill/watchPrices.ts';

const WATCHES = { memoryMb: 512, watchSeconds: 60 };
const CONTAINER = { vcpu: 0.25, memoryGb: 0.5 };

describe('the price of watches in a month', () => {
  it('is that of a function that always runs, with a little for resuming each minute and for the polls', () => {
    const running = 730 * 3600 * 0.5 * 0.0000133334;
    expect(functionWatchMonth(WATCHES)).toBeGreaterThan(running);
    expect(functionWatchMonth(WATCHES)).toBeLessThan(running + 1.2);
  });

  it('is lower with less memory, and higher if watches are shorter', () => {
    expect(functionWatchMonth({ ...WATCHES, memoryMb: 256 })).toBeLessThan(functionWatchMonth(WATCHES));
    expect(functionWatchMonth({ ...WATCHES, watchSeconds: 10 })).toBeGreaterThan(functionWatchMonth(WATCHES));
  });

  it('is lower over the container from two watches on', () => {
    const watches = crossing(WATCHES, CONTAINER);
    expect(Math.ceil(watches)).toBe(2);
    expect(2 * functionWatchMonth(WATCHES)).toBeGreaterThan(containerMonth(CONTAINER));
    expect(functionWatchMonth(WATCHES)).toBeLessThan(containerMonth(CONTAINER));
  });

  it('is higher than that of a small machine even for one watch, and the container is cheaper than EKS', () => {
    expect(functionWatchMonth(WATCHES)).toBeGreaterThan(machineMonth().machine);
    expect(containerMonth(CONTAINER)).toBeLessThan(machineMonth().eks);
  });
});
