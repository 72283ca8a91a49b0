import { expect, test } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { MemorySigningKeys } from '../../../lambdas/adapters/embedded/MemorySigningKeys.ts';
import { stsOf } from '../../../lambdas/functions/authorize/askSts.ts';
import { composeAuthenticator } from '../../../lambdas/functions/authorize/composeAuthenticator.ts';
import { isWarmEvent } from '../../../lambdas/functions/WarmEvent.ts';

const ENVIRONMENT = { clusterId: 'one', partition: 'aws', identities: '[]' };

function open(status: number) {
  const asked: string[] = [];
  const lines: object[] = [];
  const keys = new MemorySigningKeys();
  let keyReads = 0;
  const openSigningKeys = async () => ({
    read: () => {
      keyReads += 1;
      return keys.read();
    },
    keep: (made: string) => keys.keep(made),
  });
  const fetchFrom: typeof fetch = async (url) => {
    asked.push(url instanceof Request ? url.url : url.toString());
    if (status === 0) throw new TypeError('fetch failed');
    return new Response(null, { status });
  };
  const log = (line: object) => void lines.push(line);
  const { warm } = composeAuthenticator(ENVIRONMENT, { clock: new SystemClock(), log, openSigningKeys, fetchFrom });
  return { warm, asked, lines, keyReads: () => keyReads };
}

test('warming the authorizer asks STS of the region and reads the key of tokens, and is no refused caller', async () => {
  const { warm, asked, lines, keyReads } = open(403);
  await warm('eu-central-1');
  expect(asked).toEqual(['https://sts.eu-central-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15']);
  expect(keyReads()).toBe(1);
  expect(lines).toEqual([]);
});

test('it fails if STS cannot be reached, as a caller would', async () => {
  await expect(open(0).warm('eu-central-1')).rejects.toThrow('fetch failed');
});

test.each([
  ['aws', 'us-east-1', 'sts.us-east-1.amazonaws.com'],
  ['aws-us-gov', 'us-gov-west-1', 'sts.us-gov-west-1.amazonaws.com'],
  ['aws-cn', 'cn-north-1', 'sts.cn-north-1.amazonaws.com.cn'],
])('STS of %s in %s is %s', (partition, region, host) => {
  expect(stsOf(partition, region).host).toBe(host);
});

test.each([
  ['the event of the schedule', { what: 'warm' }, true],
  ['a question of API Gateway', { type: 'REQUEST', methodArn: 'a', headers: { what: 'warm' } }, false],
  ['a request', { httpMethod: 'GET', path: '/livez', queryStringParameters: { what: 'warm' } }, false],
  ['nothing', null, false],
])('%s: %o', (_, event, is) => {
  expect(isWarmEvent(event)).toBe(is);
});
