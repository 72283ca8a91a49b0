import { describe, expect, it } from 'vitest';
import { SharedReads } from '../../lambdas/controllers/SharedReads.ts';

describe('SharedReads', () => {
  it('makes one read for all callers of the same turn, and another for a later caller', async () => {
    const shared = new SharedReads<number>();
    let reads = 0;
    const read = async () => {
      reads += 1;
      return reads;
    };
    const first = [shared.share('a', read), shared.share('a', read), shared.share('b', read)];
    expect(await Promise.all(first)).toEqual([1, 1, 2]);
    expect(await shared.share('a', read)).toBe(3);
  });

  it('fails for all callers that share a read, and reads again for a later caller', async () => {
    const shared = new SharedReads<number>();
    const failing = () => Promise.reject(new Error('no'));
    const settled = await Promise.allSettled([shared.share('a', failing), shared.share('a', failing)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.share('a', () => Promise.resolve(1))).toBe(1);
  });
});
