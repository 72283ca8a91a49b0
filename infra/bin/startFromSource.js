/**
 * `npm start`: runs the sources as they are, with no build before and no file written. Loading four hundred modules one by one through a TypeScript loader takes
 * three times as long as to make one of them, in memory, and to run that.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';

const args = process.argv.slice(2);

/** The emulated cloud looks for the sources of its functions and of its stack where its own modules are, so these must stay apart. */
if (args.includes('--emulate-cloud')) {
  await import('tsx');
  await import('./start.ts');
} else {
  const { main } = await loadAsOne(fileURLToPath(new URL('../local/main.ts', import.meta.url)));
  await main(args);
}

async function loadAsOne(filename) {
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
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0].text, ['module', 'exports', 'require'], { filename });
  run(module, module.exports, createRequire(filename));
  return module.exports;
}
