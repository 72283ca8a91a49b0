import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
 * Synthesizes the stack into `directory` as `npx cdk synth` would, and bundles the functions. It runs in a process of its own, because it blocks for seconds and
 * needs much memory that is then freed.
 */
export async function synthesizeStack(
  directory: string,
  knobs: Partial<DriftlessStackProps>,
): Promise<SynthesizedStack> {
  const args = ['--import', import.meta.resolve('tsx'), SCRIPT, directory, JSON.stringify(knobs)];
  await promisify(execFile)(process.execPath, args);
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { files = {} } = (await read(`${STACK_NAME}.assets.json`)) as AssetManifest;
  return {
    stackName: STACK_NAME,
    template: (await read(`${STACK_NAME}.template.json`)) as Template,
    assetPaths: new Map(Object.entries(files).map(([hash, { source }]) => [hash, join(directory, source.path ?? '')])),
  };
}
