import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DriftlessStackProps } from '../../cdk/DriftlessStackProps.ts';
import { STACK_NAME } from './synthesizeScript.ts';
import type { Template } from './Template.ts';

/** The parts of `cdk synth`'s output that the emulation reads. */
export interface SynthesizedStack {
  readonly stackName: string;
  readonly template: Template;
  /** The directories of the assets, by hash. */
  readonly assetPaths: ReadonlyMap<string, string>;
}

interface AssetManifest {
  readonly files?: Readonly<Record<string, { readonly source: { readonly path?: string } }>>;
}

const SCRIPT = fileURLToPath(new URL('synthesizeScript.ts', import.meta.url));

/**
 * Synthesizes the stack into `directory` as `npx cdk synth` would, and bundles the functions. If `DRIFTLESS_KEPT_BUNDLES` names a directory, a stack with the same
 * knobs is synthesized only once and kept there; its owner removes it before the sources change.
 */
export async function synthesizeStack(
  directory: string,
  knobs: Partial<DriftlessStackProps>,
): Promise<SynthesizedStack> {
  const keptBundles = process.env['DRIFTLESS_KEPT_BUNDLES'];
  if (keptBundles) return readStack(await keptStack(keptBundles, JSON.stringify(knobs)));
  await runScript(directory, JSON.stringify(knobs));
  return readStack(directory);
}

/** The directory of the stack with these knobs. Another process may synthesize the same one meanwhile, so it takes its place whole. */
async function keptStack(keptBundles: string, knobs: string): Promise<string> {
  const kept = join(keptBundles, createHash('sha256').update(knobs).digest('hex'));
  if (existsSync(kept)) return kept;
  const directory = await mkdtemp(join(keptBundles, 'new-'));
  await runScript(directory, knobs);
  try {
    await rename(directory, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
    await rm(directory, { recursive: true });
  }
  return kept;
}

/** Runs in a process of its own, because it blocks for seconds and needs much memory that is then freed. */
async function runScript(directory: string, knobs: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--import', import.meta.resolve('tsx'), SCRIPT, directory, knobs]);
}

async function readStack(directory: string): Promise<SynthesizedStack> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { files = {} } = (await read(`${STACK_NAME}.assets.json`)) as AssetManifest;
  return {
    stackName: STACK_NAME,
    template: (await read(`${STACK_NAME}.template.json`)) as Template,
    assetPaths: new Map(Object.entries(files).map(([hash, { source }]) => [hash, join(directory, source.path ?? '')])),
  };
}
