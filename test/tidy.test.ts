import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCircles } from './support/importCircles.ts';
import { isShown, roomOf, shownPaths } from './support/shownFiles.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
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

/** Which layers each layer may import: `objects ← ports ← registry ← controllers, rest ← functions ← infra`; adapters import ports and objects only, as does what explanations share. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  objects: ['objects'],
  ports: ['ports', 'objects'],
  adapters: ['adapters', 'ports', 'objects'],
  registry: ['registry', 'ports', 'objects'],
  explain: ['explain', 'ports', 'objects'],
  controllers: ['controllers', 'explain', 'registry', 'ports', 'objects'],
  rest: ['rest', 'registry', 'ports', 'objects'],
  functions: ['functions', 'rest', 'controllers', 'explain', 'registry', 'ports', 'objects'],
};

/** The AWS entries and their composition alone know the adapters. */
const COMPOSING = /^lambdas\/functions\/(?:[a-z]+\/index|openCloud|(?:[a-z]+\/)?compose[A-Z][A-Za-z]+)\.ts$/;

/** The paths, from the repository's root, of the repository's own files that a file imports. */
function filesImported(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(path), target)),
  );
}

function layerOf(path: string): string {
  const [root = '', layer = ''] = path.split('/');
  return root === 'lambdas' ? layer : root;
}

/** What is imported between braces, types included. */
function namesImported(text: string): string[] {
  const lists = [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].map(([, names = '']) => names);
  return lists.flatMap((list) => list.split(',').map((name) => name.trim().replace(/^type /, '')));
}

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

describe('the lockfile', () => {
  it('has the hash of every package, also of those for other platforms', () => {
    // A bundled package is part of the package that bundles it.
    const unchecked = locked.filter(([, one]) => !one.integrity && !one.inBundle);
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it('accepts no weak hash, and names no host to load from', () => {
    const weak = locked.filter(([, { integrity = 'sha512-' }]) => !integrity.startsWith('sha512-'));
    expect(weak.map(([path]) => path)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});

describe('the tree', () => {
  it('imports one way', () => {
    const wrong = lambdas.flatMap(({ path, text }) => {
      const allowed = [...(ALLOWED[layerOf(path)] ?? []), ...(COMPOSING.test(path) ? ['adapters'] : [])];
      return filesImported(path, text)
        .filter((imported) => !allowed.includes(layerOf(imported)))
        .map((imported) => `${path} imports ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  it('imports in no circle, types included', () => {
    const product = files.filter(({ path }) => /^(?:lambdas|infra)\//.test(path));
    const imports = new Map(product.map(({ path, text }) => [path, filesImported(path, text)]));
    expect(importCircles(imports)).toEqual([]);
  });

  it('knows a circle from two ways to the same file', () => {
    const diamond = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
    expect(importCircles(new Map(Object.entries(diamond)))).toEqual([]);
    expect(importCircles(new Map(Object.entries({ ...diamond, d: ['c'] })))).toEqual(['d → c → d']);
  });

  it('imports of another room only what that room shows, and shows only what another room imports', () => {
    const product = files.filter(({ path }) => /^(?:lambdas|infra)\//.test(path));
    const crossing = product.flatMap(({ path, text }) =>
      filesImported(path, text)
        .filter((imported) => /^(?:lambdas|infra)\//.test(imported) && roomOf(imported) !== roomOf(path))
        .map((imported) => ({ path, imported })),
    );
    const inside = crossing.filter(({ imported }) => !isShown(imported));
    expect(inside.map(({ path, imported }) => `${path} imports ${imported}`)).toEqual([]);
    const imported = new Set(crossing.map((one) => one.imported.replace(/\.tsx?$/, '')));
    expect(shownPaths().filter((path) => !imported.has(path))).toEqual([]);
  });

  it('keeps the adapters apart: none imports one of another room', () => {
    const roomOf = (path: string) => /^lambdas\/adapters\/([^/]+)\//.exec(path)?.[1];
    const wrong = lambdas.flatMap(({ path, text }) => {
      const room = roomOf(path);
      return filesImported(path, text)
        .filter(
          (imported) => room !== undefined && imported.startsWith('lambdas/adapters/') && roomOf(imported) !== room,
        )
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

  it('lets controllers write through the guard alone', () => {
    const writers = ['Registry', 'createRegistry', 'ObjectStore', 'KeyLocks', 'WorkQueue'];
    const around = lambdas.filter(({ path, text }) => {
      if (/^lambdas\/controllers\/(?:guardWrites|GuardedWriters)\.ts$/.test(path)) return false;
      if (/\bnew Guarded(?:Registry|ObjectStore)\b/.test(text)) return true;
      return path.startsWith('lambdas/controllers/') && namesImported(text).some((name) => writers.includes(name));
    });
    expect(around.map(({ path }) => path)).toEqual([]);
  });

  it('names in the map of the controllers only what exists', () => {
    const folder = 'lambdas/controllers';
    const map = readFileSync(join(folder, 'README.md'), 'utf8');
    const named = [...map.matchAll(/`(\w+)` in `([^`]+\.ts)`/g)].map(([, name = '', file = '']) => ({ name, file }));
    const missing = named.filter(({ name, file }) => {
      const text = files.find(({ path }) => path === join(folder, file))?.text ?? '';
      return !new RegExp(`\\b(?:function|const|class|interface|type) ${name}\\b`).test(text);
    });
    expect(named.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });

  it('names in the map of the rooms only files and folders that exist', () => {
    const map = readFileSync('lambdas/README.md', 'utf8');
    const named = [...map.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
    const places = ['lambdas', 'lambdas/ports', 'lambdas/adapters', ''].map(
      (folder) => (name: string) => normalize(join(folder, name)),
    );
    const missing = named.filter(
      (name) => !places.some((placeOf) => files.some(({ path }) => path.startsWith(placeOf(name)))),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(missing.filter((name) => name !== 'index.ts')).toEqual([]);
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

  it('draws the cases of properties from one seed', () => {
    const unseeded = files.filter(
      ({ path, text }) => path !== 'test/support/seededFastCheck.ts' && /^import .* from 'fast-check'/m.test(text),
    );
    expect(unseeded.map(({ path }) => path)).toEqual([]);
  });

  it('repeats no test that fails: such a test, or what it tests, has a defect', () => {
    const repeating = /\bretry(?:: |\()|\{ retry\b|\brepeats: /;
    const tests = files.filter(({ path }) => path.endsWith('.test.ts') && path !== 'test/tidy.test.ts');
    const judged = [...tests, ...files.filter(({ path }) => path === 'vitest.config.ts')];
    expect(judged.filter(({ text }) => repeating.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('has the CDK write only where the end of the run removes it', () => {
    const apps = files.filter(({ path, text }) => path.startsWith('test/') && /\bnew App\(/.test(text));
    expect(apps.map(({ path }) => path)).toEqual(['test/infra/cdk/createTestApp.ts']);
  });

  it('keeps files short enough to be about one thing', () => {
    const long = files.filter(({ path, text }) => !path.startsWith('test/') && text.split('\n').length > 350);
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length} lines`)).toEqual([]);
  });
});
