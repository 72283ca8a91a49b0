/**
 * `npm start`: runs the sources without a build and without writing a file. It bundles the six hundred modules in memory and runs the bundle, because loading
 * them one by one through a TypeScript loader takes three times as long.
 */
// oxlint-disable-next-line import/no-unassigned-import -- to run it is all that is wanted
import './requireNode.js';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';

const args = process.argv.slice(2);

/** The emulated cloud finds the sources of its functions and its stack relative to its own modules, so it cannot run from one bundle. */
if (args.includes('--emulate-cloud')) {
  await import('tsx');
  await import('./start.ts');
} else {
  const { main } = await loadAsOne(fileURLToPath(new URL('../commandLine/main.ts', import.meta.url)));
  await main(args);
}

async function loadAsOne(filename) {
  const module = { exports: {} };
  // Code that is compiled in this way has no `import()` of its own, and some packages that are loaded on demand cannot be required by every Node 20.
  const text = (await bundleOf(filename)).replaceAll(/\bimport\((?=")/g, 'importPackage(');
  const run = compileFunction(text, ['module', 'exports', 'require', 'importPackage'], { filename });
  run(module, module.exports, createRequire(filename), (name) => import(name));
  return module.exports;
}

/** If `DRIFTLESS_KEPT_BUNDLES` names a directory, the sources are bundled only once and kept there; its owner removes it before they change. */
async function bundleOf(filename) {
  const directory = process.env['DRIFTLESS_KEPT_BUNDLES'];
  if (!directory) return bundle(filename);
  const kept = join(directory, 'main.cjs');
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const text = await bundle(filename);
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, text);
  // Another process may look for it meanwhile, so it takes its place whole.
  renameSync(written, kept);
  return text;
}

async function bundle(filename) {
  const { buildSync } = await import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [filename],
    bundle: true,
    external: ['../emulation/*'],
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    write: false,
  });
  return outputFiles[0].text;
}
