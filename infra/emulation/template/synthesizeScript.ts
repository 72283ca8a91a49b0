/** Synthesizes the stack: `synthesizeScript.ts DIRECTORY KNOBS`. The knobs are JSON (see DriftlessStackProps); feature flags come from `cdk.json`, but for one. */
import { pathToFileURL } from 'node:url';
import type { DriftlessStackProps } from '../../cdk/DriftlessStackProps.ts';
import { readCdkContext } from './readCdkContext.ts';

export const STACK_NAME = 'Driftless';

/** DynamoDB Local is in the region `ddblocal`. The CDK's rules know no such region in the ARN of a restored table's stream. */
const NOT_CHECKED = { '@aws-cdk/core:validateAgainstDefaultRules': false };

async function synthesize(directory: string, knobs: Partial<DriftlessStackProps>): Promise<void> {
  const { App } = await import('aws-cdk-lib');
  const { DriftlessStack } = await import('../../cdk/DriftlessStack.ts');
  const app = new App({ outdir: directory, context: { ...readCdkContext(), ...NOT_CHECKED } });
  const { artifactId } = new DriftlessStack(app, STACK_NAME, knobs);
  app.synth().getStackArtifact(artifactId);
}

const [script = '', directory = '', knobs = '{}'] = process.argv.slice(1);
if (import.meta.url === pathToFileURL(script).href) {
  await synthesize(directory, JSON.parse(knobs) as Partial<DriftlessStackProps>);
}
