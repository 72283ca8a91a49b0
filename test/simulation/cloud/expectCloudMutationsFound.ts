import { describe, expect, test } from 'vitest';
import { runCloudSeed } from '../runSeed.ts';
import type { CloudMutation } from './CloudMutation.ts';

/** A defect that the first so many seeds do not find counts as not found. */
const MOST_SEEDS = 500;

/** How a defect is found today. */
interface Finding {
  /** It is tried first, so that the search is short; once the draws have changed, the others are searched. */
  readonly seed: number;
  /** What the rule says that the defect breaks. A run that fails otherwise, such as by the limit of events, has not found it. */
  readonly rule: RegExp;
}

export const FINDINGS: Readonly<Record<string, Finding>> = {
  'batches-logged-twice': { seed: 35, rule: /gets version \d+ twice in one watch|lacks a change/ },
  'blind-removals': { seed: 11, rule: /was to be removed at version \d+, and is removed at/ },
  'blind-writes': { seed: 2, rule: /changed what a user wrote/ },
  'dead-batches-passed-over': { seed: 3, rule: /has missed a change|does not get to know the end|lacks a change/ },
  'dead-messages-deleted': { seed: 36, rule: /is not complete/ },
  'early-over-tombstones': { seed: 37, rule: /has missed a change|goes back to version/ },
  'early-without-predecessor': { seed: 1, rule: /has missed a change|goes back to version/ },
  'eventual-log-reads': { seed: 11, rule: /has missed a change|does not get to know the end|lacks a change/ },
  'eventual-reads': { seed: 11, rule: /is one too many|was collected though/ },
  'expiries-not-logged': { seed: 38, rule: /does not get to know the end of events/ },
  'follow-ups-not-repeated': { seed: 24, rule: /nobody looks at it before|nobody tries it again/ },
  'holes-forgotten': { seed: 20, rule: /does not get to know the end/ },
  'keys-before-writes': { seed: 59, rule: /is not complete/ },
  'kept-messages-deleted': {
    seed: 7,
    rule: /is not complete|nobody has looked at the key since|nobody tries it again/,
  },
  'left-out-after-due': { seed: 32, rule: /is not complete/ },
  'locks-taken-twice': { seed: 2, rule: /is taken \d+ ms before it ends/ },
  'losses-passed-over': { seed: 23, rule: /does not get to know the end|lacks a change/ },
  'lost-wake-ups': { seed: 1, rule: /does not come to rest: 0 requests of the client, 0 events, in the queue nothing/ },
  'orphans-forgotten': { seed: 404, rule: /goes back to version/ },
  'pages-cut': { seed: 2, rule: /is one too many/ },
  'received-messages-deleted': { seed: 2, rule: /is deleted, and nobody has looked at the key since/ },
  'records-cut': { seed: 2, rule: /has missed a change|lacks a change/ },
  'refused-messages-forgotten': {
    seed: 30,
    rule: /has not ended|is still being deleted|is not complete|the status of .* is wrong/,
  },
  'repeated-without-condition': { seed: 22, rule: /changed what a user wrote/ },
  'seen-before-synced': { seed: 4, rule: /is not complete/ },
  'segments-overwritten': { seed: 5, rule: /has missed a change|lacks a change/ },
  'stream-keys-off': { seed: 3, rule: /is not complete/ },
};

/** Defines a test for each of these defects. */
export function expectCloudMutationsFound(mutations: readonly CloudMutation[]): void {
  describe('a deliberate defect of what runs on AWS is found by the simulation alone, by the rule that it breaks', () => {
    test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
      '%s',
      { timeout: 600_000 },
      async (_, mutation) => {
        expect(await findingSeed(mutation)).toBeLessThanOrEqual(MOST_SEEDS);
      },
    );
  });
}

async function findingSeed(mutation: CloudMutation): Promise<number> {
  const { seed: first, rule } = FINDINGS[mutation.name] as Finding;
  const all = Array.from({ length: MOST_SEEDS }, (_, index) => index + 1);
  for (const seed of [first, ...all]) {
    const { failure = '' } = await runCloudSeed(seed, mutation);
    if (rule.test(failure)) return seed;
  }
  return Number.POSITIVE_INFINITY;
}
