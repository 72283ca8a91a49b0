import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Template } from '../../infra/emulation/template/Template.ts';
import type { Release } from './Release.ts';

/** A release as it was deployed: the code of its functions without the packages, and its template. */
export interface KeptRelease {
  /** `0.1.0` */
  readonly version: string;
  readonly commit: string;
  /** The stack's template, for the knobs of the emulated cloud. */
  readonly template: Template;
  /** The modules by their names: `sync.mjs` exports the function's `handler`, `release.mjs` what `Release.ts` does. */
  readonly files: Readonly<Record<string, string>>;
}

/** A release whose code is on this machine. */
export interface OpenedRelease extends Pick<KeptRelease, 'version' | 'commit' | 'template'> {
  readonly directory: string;
}

/** The release before this one, which a stack goes back to if a deployment fails. `npm run keep-release` writes it. */
export const RELEASE_BEFORE = fileURLToPath(new URL('before.br', import.meta.url));

/** The module of a release's directory that `loadRelease` imports. */
export const RELEASE_MODULE = 'release.mjs';

/** The packages of this release are found from here: they belong to no format. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/driftless/releases/', import.meta.url));

/** Writes the release to a file. */
export async function writeRelease(release: KeptRelease, path: string): Promise<void> {
  const text = Buffer.from(JSON.stringify(release));
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  await writeFile(path, await promisify(brotliCompress)(text, { params }));
}

/** Unpacks the release, unless it is unpacked already. Rejects if there is no such file, or if it holds no release. */
export async function openRelease(path: string): Promise<OpenedRelease> {
  const packed = await readFile(path);
  const text = await promisify(brotliDecompress)(packed);
  const { files, ...release } = JSON.parse(text.toString()) as KeptRelease;
  const directory = join(CACHE, createHash('sha256').update(packed).digest('hex').slice(0, 16));
  if (!existsSync(directory)) await unpack(files, directory);
  return { ...release, directory };
}

/** Imports what `Release.ts` exported when the release was kept. */
export async function loadRelease(directory: string): Promise<Release> {
  const module = pathToFileURL(join(directory, RELEASE_MODULE)).href;
  const { THIS_RELEASE } = (await import(/* @vite-ignore */ module)) as { readonly THIS_RELEASE: Release };
  return THIS_RELEASE;
}

/** Another process may unpack it meanwhile, so it takes its place whole. */
async function unpack(files: KeptRelease['files'], directory: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'new-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(unfinished, name), text);
  try {
    await rename(unfinished, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    await rm(unfinished, { recursive: true });
  }
}
