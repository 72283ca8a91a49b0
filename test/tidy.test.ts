import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(path, 'utf8') }];
    } catch {
      return []; // Deleted and not committed yet.
    }
  });
const lambdas = files.filter(({ path }) => path.startsWith('lambdas/'));

/** Who may import whom: `objects ← ports ← registry ← controllers, rest ← functions ← infra`; adapters import ports and objects only. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  objects: ['objects'],
  ports: ['ports', 'objects'],
  adapters: ['adapters', 'ports', 'objects'],
  registry: ['registry', 'ports', 'objects'],
  controllers: ['controllers', 'registry', 'ports', 'objects'],
  rest: ['rest', 'registry', 'ports', 'objects'],
  functions: ['functions', 'rest', 'controllers', 'registry', 'ports', 'objects'],
};

function layersImported(path: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => {
    const [root, layer = ''] = normalize(join(dirname(path), target)).split('/');
    return root === 'lambdas' ? layer : (root ?? '');
  });
}

describe('the tree', () => {
  it('imports one way', () => {
    const wrong = lambdas.flatMap(({ path, text }) => {
      const layer = path.split('/')[1] ?? '';
      // The AWS entries compose: they alone know the adapters.
      const allowed = path.endsWith('/index.ts') ? [...(ALLOWED[layer] ?? []), 'adapters'] : (ALLOWED[layer] ?? []);
      return layersImported(path, text)
        .filter((imported) => !allowed.includes(imported))
        .map((imported) => `${path} imports ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  it('takes time from a Clock and randomness from Ids', () => {
    const outside = lambdas.filter(({ path }) => !path.startsWith('lambdas/adapters/') && !path.includes('/generate/'));
    const reading =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\brandomUUID\(|\bperformance\.now\(/;
    expect(outside.filter(({ text }) => reading.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('decides without waiting: no decide function is async', () => {
    expect(
      lambdas.filter(({ text }) => /async function decide|decide\w* = async/.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('names files after what they hold', () => {
    expect(
      files
        .filter(({ path }) => /(?:^|\/)(?:utils?|helpers?|common|types|misc)\.ts$/.test(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('skips no test without a reason that it can look at', () => {
    const skips = files.filter(
      ({ path, text }) => path.endsWith('.test.ts') && /\b(?:it|test|describe)\.(?:skip|todo|only)\(/.test(text),
    );
    expect(skips.map(({ path }) => path)).toEqual([]);
  });

  it('keeps files short enough to be about one thing', () => {
    const long = files.filter(({ path, text }) => !path.startsWith('test/') && text.split('\n').length > 350);
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length} lines`)).toEqual([]);
  });
});
