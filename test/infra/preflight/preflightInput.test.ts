import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { UsageError } from '../../../infra/host/UsageError.ts';
import { parsePreflightOptions } from '../../../infra/preflight/parsePreflightOptions.ts';
import { readDeployContext } from '../../../infra/preflight/readDeployContext.ts';

test('options are those of cdk deploy; a value may have an equals sign', () => {
  const args = ['-c', 'driftless:api=container', '--context', 'a=b=c', '--profile', 'prod', '--json'];
  expect(parsePreflightOptions(args)).toEqual({
    context: { 'driftless:api': 'container', a: 'b=c' },
    profile: 'prod',
    json: true,
    help: false,
  });
});

test.each([
  [['--region', 'us-east-1'], /^Unknown option '--region'.*--help lists the options$/],
  [['deploy'], /^Unexpected argument 'deploy'/],
  [['-c', 'driftless:api'], /^-c driftless:api: must be KEY=VALUE/],
  [['--profile'], /argument missing/],
  [['--profile='], /^--profile needs a name$/],
])('%j is refused in one line', (args, message) => {
  expect(() => parsePreflightOptions(args)).toThrow(UsageError);
  expect(() => parsePreflightOptions(args)).toThrow(message);
});

describe('the context', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'preflight-'));
  });
  afterAll(() => rm(directory, { recursive: true }));
  const write = (name: string, value: object) => writeFile(join(directory, name), JSON.stringify(value));
  const read = (written = {}) => readDeployContext(written, { directory, home: directory });

  it('is that of the CDK: the command line, cdk.json, cdk.context.json, ~/.cdk.json', async () => {
    await write('cdk.json', { context: { a: 'project', b: 'project' } });
    await write('cdk.context.json', { b: 'kept', c: 'kept' });
    await write('.cdk.json', { context: { c: 'user', d: 'user' } });
    expect(await read({ a: 'line' })).toEqual({ a: 'line', b: 'project', c: 'kept', d: 'user' });
  });

  it('may be empty', async () => {
    expect(await readDeployContext({}, { directory: join(directory, 'none'), home: directory })).toEqual({
      c: 'user',
      d: 'user',
    });
  });

  it('names a file that is not JSON', async () => {
    await writeFile(join(directory, 'cdk.json'), '{');
    await expect(read()).rejects.toThrow(/cdk\.json cannot be read/);
  });
});
