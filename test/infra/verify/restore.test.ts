import { describe, expect, it, test } from 'vitest';
import type { StackReads } from '../../../infra/verify/StackAccount.ts';
import { assertIsCopy } from '../../../infra/verify/StackAccount.ts';
import { AwsChanges } from '../../../infra/verify/aws/AwsChanges.ts';
import { runSteps } from '../../../infra/verify/runSteps.ts';
import { itemsOf, placeOf, stackOf, tableState } from './FakeAccount.ts';
import { SkippingClock } from './SkippingClock.ts';

const SOURCE = 'driftless-ObjectsTable-ABC';
const COPY = 'driftless-verify-1a2b3c4d';
const MINUTE_MS = 60_000;
const CONFIG_MAPS = 'configmaps#driftless-verify-1a2b3c4d';

type Items = Readonly<Record<string, readonly [version: number, contents: string]>>;

const own: Items = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`${CONFIG_MAPS}/restored-${at}`, [100 + at, `own ${at}`] as const]),
);
const others: Items = {
  'deployments.apps#default/web': [7, 'web'],
  'deployments.apps#default/api': [8, 'api'],
};

interface World {
  readonly stored?: Items;
  readonly restored?: Items;
  /** How long the copy is being restored. */
  readonly restoringMs?: number;
  readonly hasRecovery?: boolean;
  readonly interruptAfterMs?: number;
}

/** Runs the step in an account with these tables, and returns what it says and what it has changed. */
async function restoreIn({ stored = { ...own, ...others }, restored = stored, ...world }: World = {}) {
  const clock = new SkippingClock();
  clock.interruptAfterMs = world.interruptAfterMs ?? Number.POSITIVE_INFINITY;
  const changes: string[] = [];
  let restoredFromMs: number | undefined;
  const reads: Partial<StackReads> = {
    table: async (name) => {
      if (name === SOURCE) {
        const recovery = { days: 35, latestMs: clock.now() - 5 * MINUTE_MS };
        return tableState(world.hasRecovery === false ? {} : { recovery });
      }
      if (restoredFromMs === undefined || changes.includes(`delete ${name}`)) return undefined;
      const isThere = clock.now() - restoredFromMs >= (world.restoringMs ?? 12 * MINUTE_MS);
      return tableState({ status: isThere ? 'ACTIVE' : 'CREATING' });
    },
    items: (name) => itemsOf(name === SOURCE ? stored : restored),
  };
  const place = placeOf({
    clock,
    stack: stackOf({ ObjectsTable: ['AWS::DynamoDB::Table', SOURCE] }),
    account: {
      reads,
      changes: {
        restoreTable: async (source, copy, atMs) => {
          restoredFromMs = clock.now();
          changes.push(`restore ${source} to ${copy} of ${atMs < clock.now() - 4 * MINUTE_MS ? 'the past' : 'now'}`);
        },
        deleteCopy: async (copy) => void changes.push(`delete ${copy}`),
      },
    },
  });
  const choice = { only: ['restore'], including: [], mayCost: () => Promise.resolve(true) };
  const [outcome] = await runSteps(place, choice, () => {});
  return { outcome, changes };
}

const RESTORED = [`restore ${SOURCE} to ${COPY} of the past`, `delete ${COPY}`];

describe('restoring the table of the objects', () => {
  it('compares the copy with the table, and deletes the copy alone', async () => {
    const { outcome, changes } = await restoreIn();
    expect(outcome?.kind).toBe('ok');
    expect(outcome?.seen).toMatch(
      /has 12 items, the table 12: 12 are equal, and 0 were written since\. It cost about \$0\.0002/,
    );
    expect(changes).toEqual(RESTORED);
  });

  it('expects what was written meanwhile to differ', async () => {
    const newer = {
      'deployments.apps#default/web': [9, 'newer'],
      'deployments.apps#default/new': [10, 'new'],
    } as const;
    const { outcome } = await restoreIn({
      stored: { ...own, ...newer },
      restored: { ...own, ...others },
    });
    expect(outcome?.kind).toBe('ok');
    expect(outcome?.seen).toMatch(/10 are equal, and 3 were written since/);
  });

  it('says that an old object is missing', async () => {
    const { outcome } = await restoreIn({ restored: { ...own, 'deployments.apps#default/api': [8, 'api'] } });
    expect(outcome).toMatchObject({ kind: 'differs', seen: expect.stringContaining('1 are missing that are older') });
  });

  it.each([
    ['that lacks an object of this run', { restored: others }, /10 of the 10 objects of this run are not the same/],
    [
      'with other contents at the same version',
      { restored: { ...own, ...others, 'deployments.apps#default/web': [7, 'other'] as const } },
      /1 differ at the same version/,
    ],
    [
      'that is ahead of the table',
      { restored: { ...own, ...others, 'deployments.apps#default/web': [9, 'web 9'] as const } },
      /1 differ at the same version/,
    ],
  ])('fails for a copy %s, and deletes it', async (_name, world, seen) => {
    const { outcome, changes } = await restoreIn(world);
    expect(outcome?.kind).toBe('failed');
    expect(outcome?.seen).toMatch(seen);
    expect(changes).toEqual(RESTORED);
  });

  it('restores nothing if the table has no backup', async () => {
    const { outcome, changes } = await restoreIn({ hasRecovery: false });
    expect(outcome).toMatchObject({ kind: 'failed', seen: expect.stringContaining('`pointInTimeRecoveryDays`') });
    expect(changes).toEqual([]);
  });

  it('deletes the copy after an interruption, when DynamoDB allows it', async () => {
    const { outcome, changes } = await restoreIn({ interruptAfterMs: 7 * MINUTE_MS });
    expect(outcome).toMatchObject({ kind: 'notRun', seen: 'Interrupted.' });
    expect(changes).toEqual(RESTORED);
  });

  it('names a copy that could not be deleted', async () => {
    const { outcome } = await restoreIn({ restoringMs: 24 * 60 * MINUTE_MS });
    expect(outcome?.kind).toBe('failed');
    expect(outcome?.seen).toContain(`\`aws dynamodb delete-table --table-name ${COPY}\` (it is still being restored)`);
  });
});

test.each([SOURCE, 'driftless-verify', 'orders'])(
  'the table %s is no copy, and is never deleted or written',
  async (name) => {
    expect(() => assertIsCopy(name)).toThrow(/is not a copy that verify has made/);
    // The settings lead nowhere: nothing is sent.
    const settings = {
      region: 'us-east-1',
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 1, requestTimeout: 1 },
    };
    const changes = new AwsChanges(settings);
    await expect(changes.deleteCopy(name)).rejects.toThrow(/is not a copy/);
    await expect(changes.restoreTable(SOURCE, name, 0)).rejects.toThrow(/is not a copy/);
  },
);
