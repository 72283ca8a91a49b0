import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DriftlessStackProps } from '../../cdk/DriftlessStackProps.ts';
import { STACK_NAME } from './synthesizeScript.ts';
import type { Template } from './Template.ts';

/** What `cdk synth` leaves behind, as far as the emulation reads it. */
export interface SynthesizedStack {
  readonly stackName: string;
  readonly template: Template;
  /** Where an asset's files are, by its hash. */
  readonly assetPaths: ReadonlyMap<string, string>;
}

interface AssetManifest {
  readonly files?: Readonly<Record<string, { readonly source: { readonly path?: string } }>>;
}

const SCRIPT = fileURLToPath(new URL('synthesizeScript.ts', import.meta.url));

/**
 * Synthesizes the stack as `npx cdk synth` would, into `directory`; the functions are bundled on the way. In a process of its own: it takes seconds without a
 * pause, and the CDK's memory is not needed afterwards.
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
