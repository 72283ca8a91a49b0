import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleEntry, bundleFunction, functionEntry } from '../../../infra/cdk/bundleFunction.ts';
import { FUNCTIONS, type FunctionName } from '../../../infra/topology.ts';
import { FUNCTION_VARIABLES, VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';

const names = Object.keys(FUNCTIONS) as FunctionName[];
const directory = mkdtempSync(join(tmpdir(), 'driftless-bundles-'));

beforeAll(() => {
  for (const name of names) bundleFunction(name, join(directory, name));
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true }));

function filesOf(place: string): readonly { readonly file: string; readonly text: string }[] {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => ({ file: path.slice(place.length), text: readFileSync(path, 'utf8') }));
}

function digest(place: string): string {
  return createHash('sha256')
    .update(JSON.stringify(filesOf(place)))
    .digest('hex');
}

/** An environment with made-up values: loading a function must not use them. */
function environmentOf(name: FunctionName): Record<string, string> {
  const texts: Partial<Record<string, string>> = {
    config: '{}',
    identities: '[]',
    nodes: '3',
    watchSeconds: '{}',
    maxWatches: '4',
    auditLogGroup: 'none',
  };
  const own = FUNCTION_VARIABLES[name].map((variable) => [VARIABLES[variable], texts[variable] ?? `the-${variable}`]);
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    AWS_REGION: 'eu-central-1',
    PATH: process.env['PATH'] ?? '',
  };
}

/** The globals that Lambda sets before it loads a function. */
const LAMBDA_RUNTIME = `globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };`;

describe.each(names)('the bundle of %s', (name) => {
  const place = join(directory, name);

  it('loads in Lambda`s environment and exports a handler', () => {
    const load = `${LAMBDA_RUNTIME} import('${join(place, 'index.mjs')}').then(({ handler }) => console.log(typeof handler));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', load], {
      env: environmentOf(name),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(output.trim().split('\n').at(-1)).toBe('function');
  });

  it('has the same bytes in any directory, so that a deployment skips unchanged functions', () => {
    const other = join(directory, 'deeper', 'down', name);
    bundleEntry(functionEntry(name), name, other);
    expect(digest(other)).toBe(digest(place));
  });

  it('contains no embedded store, no development tool and no path of the build machine', () => {
    for (const { file, text } of filesOf(place)) {
      expect(text.includes(process.cwd()), `${file} names the working directory`).toBe(false);
      expect(/["'](?:lmdb|esbuild|aws-cdk-lib)["']/.test(text), `${file} uses a local part`).toBe(false);
    }
  });

  it('is minified and small, and has source maps', () => {
    const modules = filesOf(place).filter(({ file }) => file.endsWith('.mjs'));
    const bytes = modules.reduce((sum, { text }) => sum + text.length, 0);
    // The one of `api` has the controllers, too, in chunks that are loaded with the first write.
    expect(bytes).toBeLessThan(3_500_000);
    for (const { file, text } of modules) expect(text, file).toMatch(/\/\/# sourceMappingURL=\S+\.mjs\.map\n?$/);
    const { sources } = JSON.parse(readFileSync(join(place, 'index.mjs.map'), 'utf8')) as { sources: string[] };
    expect(sources).toContain(`../../lambdas/functions/${name}/index.ts`);
  });
});
