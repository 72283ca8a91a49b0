import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DriftlessStackProps } from '../../cdk/DriftlessStackProps.ts';
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

/** Synthesizes the stack as `npx cdk synth` would, into `directory`; the functions are bundled on the way. */
export async function synthesizeStack(
  directory: string,
  knobs: Partial<DriftlessStackProps>,
): Promise<SynthesizedStack> {
  const { App } = await import('aws-cdk-lib');
  const { DriftlessStack } = await import('../../cdk/DriftlessStack.ts');
  const app = new App({ outdir: directory, context: { ...contextOfProject(), 'aws:cdk:enable-path-metadata': false } });
  const stack = new DriftlessStack(app, 'Driftless', knobs);
  const { template, assets, stackName } = app.synth().getStackArtifact(stack.artifactId);
  const assetPaths = assets.length === 0 ? readManifest(directory, stack.artifactId) : new Map<string, string>();
  return { stackName, template: template as Template, assetPaths };
}

/** The same feature flags as the command line's: they change what is synthesized. */
function contextOfProject(): Readonly<Record<string, unknown>> {
  const { context } = JSON.parse(readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8')) as {
    context: Readonly<Record<string, unknown>>;
  };
  return context;
}

function readManifest(directory: string, artifactId: string): Map<string, string> {
  const { files = {} } = JSON.parse(
    readFileSync(join(directory, `${artifactId}.assets.json`), 'utf8'),
  ) as AssetManifest;
  return new Map(Object.entries(files).map(([hash, { source }]) => [hash, join(directory, source.path ?? '')]));
}
