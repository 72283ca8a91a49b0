import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Writes `generated/pageAssets.ts`: the dashboard's page, as texts. A part of a module is found in every way in which this package runs: from the sources, as one bundle, and as a package. The file is
 * not committed; `npm ci` runs this script.
 */
const here = dirname(fileURLToPath(import.meta.url));
const { outputFiles } = await build({
  entryPoints: [join(here, 'page/main.tsx'), join(here, 'page/page.css')],
  outdir: join(here, 'generated'),
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
});

const files = outputFiles.map(({ path, text }) => {
  const isScript = path.endsWith('.js');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return {
    name: `page-${hash}.${isScript ? 'js' : 'css'}`,
    type: isScript ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
    text,
  };
});

const tags = files.map(({ name }) =>
  name.endsWith('.js')
    ? `<script type="module" src="/dashboard/assets/${name}"></script>`
    : `<link rel="stylesheet" href="/dashboard/assets/${name}">`,
);
const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect x=%221%22 y=%229%22 width=%224%22 height=%226%22 fill=%22%238a94a6%22/%3E%3Crect x=%226%22 y=%225%22 width=%224%22 height=%2210%22 fill=%22%233b82f6%22/%3E%3Crect x=%2211%22 y=%221%22 width=%224%22 height=%2214%22 fill=%22%2322a06b%22/%3E%3C/svg%3E';
// The page begins with what its script shows first, so that something is seen before the script has run.
const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Driftless</title><link rel="icon" href="${icon}">
${tags.join('\n')}</head><body><noscript>This page needs JavaScript.</noscript>
<div id="page"><header><a class="brand" href="#/">Driftless</a></header></div></body></html>
`;

mkdirSync(join(here, 'generated'), { recursive: true });
writeFileSync(
  join(here, 'generated/pageAssets.ts'),
  `/** Written by buildPage.ts. */\nexport const pageAssets = ${JSON.stringify({ html, files })} as const;\n`,
);
