import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logicalName } from '../../infra/cdk/createFunctions.ts';
import { STACK_NAME } from '../../infra/emulation/template/synthesizeScript.ts';
import type { SynthesizedStack } from '../../infra/emulation/template/synthesizeStack.ts';
import { FUNCTIONS } from '../../infra/topology.ts';
import type { OpenedRelease } from './KeptRelease.ts';

/** The release as the emulated cloud deploys it. */
export async function stackOfRelease({ template, directory }: OpenedRelease): Promise<SynthesizedStack> {
  const assetPaths = new Map<string, string>();
  for (const { name } of Object.values(FUNCTIONS)) {
    const { Properties = {} } = template.Resources[logicalName(name)] ?? {};
    const key = (Properties['Code'] as { readonly S3Key?: string } | undefined)?.S3Key;
    if (key === undefined) throw new Error(`the kept release has no ${logicalName(name)}`);
    const asset = join(directory, name);
    await mkdir(asset, { recursive: true });
    // The template asks for `index.handler`.
    await writeFile(join(asset, 'index.mjs'), `export { handler } from '../${name}.mjs';\n`);
    assetPaths.set(key.replace(/\.zip$/, ''), asset);
  }
  return { stackName: STACK_NAME, template, assetPaths };
}
