import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { assert, constantFrom, integer, option, property, record } from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { planConcurrency } from '../../../infra/cdk/planConcurrency.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { createTestApp } from './createTestApp.ts';
import { resource, resourcesOf } from './synthesizeStack.ts';

/** Synthesis takes seconds, so it is done once for each account. */
const SMALL = stackOf({ accountConcurrency: 10 });
const LARGE = stackOf({ accountConcurrency: 1000 });

function stackOf(driftless: object) {
  const stack = addDriftlessStack(createTestApp({ driftless }));
  return { template: Template.fromStack(stack), annotations: Annotations.fromStack(stack) };
}

const KNOBS = { api: 'function', reservedConcurrency: {} } as const;

describe('the division of concurrent executions', () => {
  it('bounds the watches of a new account, which can reserve nothing, and says so', () => {
    const plan = planConcurrency({ ...KNOBS, accountConcurrency: 10 });
    expect(plan).toMatchObject({ reserved: {}, maxWatches: 4, syncMaxConcurrency: 2 });
    expect(plan.warning).toBe(
      'the account has 10 concurrent executions, of which Lambda keeps 100 unreserved: none are reserved, at most 4 watches are answered at the same ' +
        'time (others get 429) and 2 batches of keys are synced. Ask for a higher quota "Concurrent executions" of AWS Lambda (L-B99A9384), then set accountConcurrency',
    );
  });

  it('assumes a new account if nobody says otherwise, and says so', () => {
    const plan = planConcurrency(KNOBS);
    expect(plan).toMatchObject({ reserved: {}, maxWatches: 4, syncMaxConcurrency: 2 });
    expect(plan.warning).toContain("accountConcurrency is not set, so the stack assumes a new account's 10");
    expect(plan.warning).toContain('2 batches of keys are synced');
  });

  it.each([
    ['what the user wrote, if the quota is not stated', { syncMaxConcurrency: 20 }, 20],
    ['what the user reserved, if the quota is not stated', { reservedConcurrency: { sync: 30 } }, 30],
    ['what is left of the quota, whatever the user wrote', { syncMaxConcurrency: 20, accountConcurrency: 20 }, 8],
    ['what is left of the quota without watches', { api: 'container', accountConcurrency: 20 }, 16],
    ['what is left of a new account without watches', { api: 'container' }, 6],
    ['the topology`s number in a large account', { accountConcurrency: 1000 }, FUNCTIONS.sync.trigger.maxConcurrency],
    ['the reservation', { accountConcurrency: 1000, reservedConcurrency: { sync: 30 } }, 30],
    ['a container`s account', { api: 'container', accountConcurrency: 100 }, 50],
  ] as const)('syncs as many batches as %s', (_, knobs, syncMaxConcurrency) => {
    expect(planConcurrency({ ...KNOBS, ...knobs })).toMatchObject({ syncMaxConcurrency });
  });

  it('says of a container`s account how many syncs it is good for, and nothing of watches, which take no executions', () => {
    const { warning, reserved } = planConcurrency({ ...KNOBS, api: 'container' });
    expect(reserved).toEqual({});
    expect(warning).toContain('none are reserved and 6 batches of keys are synced');
    expect(warning).not.toContain('watches');
    expect(planConcurrency({ ...KNOBS, api: 'container', accountConcurrency: 100 }).warning).toBeUndefined();
    const large = planConcurrency({ ...KNOBS, api: 'container', accountConcurrency: 1000 });
    expect(large.reserved).toEqual({ sync: 50, record: 100, enqueue: 100 });
  });

  it('reserves for `api`, which bounds it, and for the functions that must always run', () => {
    expect(planConcurrency({ ...KNOBS, accountConcurrency: 1000 })).toEqual({
      reserved: { api: 450, sync: 50, record: 100, enqueue: 100 },
      maxWatches: 360,
      syncMaxConcurrency: 50,
    });
  });

  it('reserves only for `api` if there is no room for more', () => {
    expect(planConcurrency({ ...KNOBS, accountConcurrency: 200 })).toEqual({
      reserved: { api: 50 },
      maxWatches: 40,
      syncMaxConcurrency: 50,
    });
  });

  it('keeps what the user wrote', () => {
    const reservedConcurrency = { api: 30, record: 5 };
    const plan = planConcurrency({ ...KNOBS, accountConcurrency: 1000, reservedConcurrency, maxWatches: 7 });
    expect(plan.reserved).toMatchObject(reservedConcurrency);
    expect(plan.maxWatches).toBe(7);
  });

  it('leaves executions to others than watches, and to functions without a reservation, in any account', () => {
    const knobs = record({
      accountConcurrency: option(integer({ min: 10, max: 20_000 }), { nil: undefined }),
      syncMaxConcurrency: integer({ min: 2, max: 1000 }),
      reservedConcurrency: constantFrom({}),
      api: constantFrom('function' as const),
    });
    assert(
      property(knobs, ({ accountConcurrency, ...others }) => {
        const plan = planConcurrency({ ...others, ...(accountConcurrency !== undefined && { accountConcurrency }) });
        const account = accountConcurrency ?? 10;
        const reserved = Object.values(plan.reserved).reduce((sum, count) => sum + count, 0);
        if (reserved > 0) expect(reserved).toBeLessThanOrEqual(account - 100);
        expect(plan.maxWatches).toBeLessThan(plan.reserved.api ?? account - 3);
        expect(plan.reserved.sync ?? plan.syncMaxConcurrency).toBeGreaterThanOrEqual(plan.syncMaxConcurrency);
      }),
    );
  });
});

describe('the stack', () => {
  it('has the reservations and the bound of the plan', () => {
    expect(resource(LARGE.template, 'ApiFunction').Properties).toMatchObject({
      ReservedConcurrentExecutions: 450,
      Environment: { Variables: { DRIFTLESS_MAX_WATCHES: '360' } },
    });
    expect(resource(LARGE.template, 'RecordFunction').Properties['ReservedConcurrentExecutions']).toBe(100);
    expect(resource(LARGE.template, 'ResyncFunction').Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('syncs fewer batches at a time in a small account', () => {
    const mappings = Object.values(resourcesOf(SMALL.template, 'AWS::Lambda::EventSourceMapping'));
    expect(mappings.map(({ Properties }) => Properties['ScalingConfig'])).toContainEqual({ MaximumConcurrency: 2 });
  });

  it('says at synthesis that a small account reserves nothing, and says nothing about a large one', () => {
    const warning = Match.stringLikeRegexp('at most 4 watches');
    expect(SMALL.annotations.findWarning('*', warning)).toHaveLength(1);
    expect(LARGE.annotations.findWarning('*', Match.stringLikeRegexp('watches'))).toEqual([]);
  });
});
