import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addDriftlessStack, KNOB_NAMES, readKnobs } from '../cdk/addDriftlessStack.ts';
import { parseStackProps } from '../cdk/parseStackProps.ts';
import { planConcurrency } from '../cdk/planConcurrency.ts';
import { UsageError } from '../host/UsageError.ts';
import type { TemplateResources } from './AccountReads.ts';
import type { Plan } from './Plan.ts';

/** The functions' code decides nothing here, so it is not bundled. What the CDK and `cdk synth` warn of is said by the checks. */
const QUICK_AND_QUIET = {
  'aws:cdk:bundling-stacks': [],
  '@aws-cdk/core:annotationsInValidationReport': false,
};

/**
 * Synthesizes the stack that `cdk deploy` would deploy with this context, so that the checks look at what the template really asks for.
 * Throws a UsageError, a StackPropsError or a ConfigError, of one line, for an invalid knob.
 */
export async function planDeployment(context: Readonly<Record<string, unknown>>): Promise<Plan> {
  refuseUnknownKnobs(Object.keys(context));
  const { stackName, ...knobs } = readKnobs((name) => context[name]);
  const props = parseStackProps(knobs);
  const directory = await mkdtemp(join(tmpdir(), 'driftless-preflight-'));
  try {
    const app = new App({ context: { ...context, ...QUICK_AND_QUIET }, outdir: directory, analyticsReporting: false });
    const { artifactId } = addDriftlessStack(app);
    const stack = app.synth().getStackArtifact(artifactId);
    return {
      stackName,
      props,
      concurrency: planConcurrency(props),
      resources: (stack.template as { readonly Resources: TemplateResources }).Resources,
      bootstrap: {
        parameter: stack.bootstrapStackVersionSsmParameter ?? '/cdk-bootstrap/hnb659fds/version',
        leastVersion: stack.requiresBootstrapStackVersion ?? 0,
      },
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const KNOB_PREFIX = 'driftless:';

/** The CDK passes on whatever is in the context, so that `cdk deploy` overlooks a knob that is misspelt. */
function refuseUnknownKnobs(names: readonly string[]): void {
  const knobs = names.filter((name) => name.startsWith(KNOB_PREFIX)).map((name) => name.slice(KNOB_PREFIX.length));
  const unknown = knobs.find((knob) => !KNOB_NAMES.includes(knob));
  if (unknown !== undefined) throw new UsageError(`there is no knob ${unknown}; there are ${KNOB_NAMES.join(', ')}`);
}
