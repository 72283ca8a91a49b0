import { expect, it, test } from 'vitest';
import { type AccountReads, ReadError, type ReadFailure } from '../../../infra/preflight/AccountReads.ts';
import { readErrorOf } from '../../../infra/preflight/readFailure.ts';
import { runChecks } from '../../../infra/preflight/runChecks.ts';
import { deploymentOf } from './deploymentOf.ts';

/** What the checks of a plain stack ask. */
const READY: Partial<AccountReads> = {
  concurrency: () => Promise.resolve({ limit: 1000, unreserved: 1000 }),
  knowsRuntime: () => Promise.resolve(true),
  parameter: () => Promise.resolve('27'),
  stack: () => Promise.resolve(undefined),
  apiGateway: () => Promise.resolve({}),
  restApisNamed: () => Promise.resolve(0),
};

/** The finding on the runtime, about which the account answers with this error. */
async function findingOn(problem: Error) {
  const knowsRuntime = async () => {
    throw problem;
  };
  const account = { ...READY, knowsRuntime } as Partial<AccountReads> as AccountReads;
  const findings = await runChecks(account, deploymentOf());
  expect(findings.filter(({ check }) => check !== 'runtime').map(({ kind }) => kind)).not.toContain('unchecked');
  return findings.find(({ check }) => check === 'runtime');
}

it.each([
  ['denied', 'unchecked', 'Not checked: it needs the permission lambda:ListLayers.'],
  ['failed', 'unchecked', 'Not checked: lambda:ListLayers failed with Throttled: later.'],
  ['noService', 'wrong', 'Deploy to another region: us-east-1 has no lambda.'],
] as [ReadFailure, string, string][])(
  'a call that is %s takes away one check alone',
  async (failure, kind, message) => {
    const error = new ReadError('lambda:ListLayers', failure, { message: 'Throttled: later' });
    expect(await findingOn(error)).toEqual({ check: 'runtime', kind, message });
  },
);

it('does not hide a defect of its own', async () => {
  await expect(findingOn(new TypeError('a defect'))).rejects.toThrow('a defect');
});

test.each([
  [{ name: 'AccessDenied' }, 'denied'],
  [{ name: 'AccessDeniedException' }, 'denied'],
  [{ name: 'UnauthorizedOperation' }, 'denied'],
  [{ name: 'Error', code: 'ENOTFOUND' }, 'noService'],
  [{ name: 'Error', code: 'ECONNREFUSED' }, 'failed'],
  [{ name: 'ExpiredTokenException' }, 'failed'],
])('the error %j of the SDK means %s', (fields, failure) => {
  const error = Object.assign(new Error('told\nin two lines'), fields);
  expect(readErrorOf('ec2:DescribeVpcs', error)).toMatchObject({ failure, message: `${fields.name}: told` });
});
