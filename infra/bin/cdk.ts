import { App } from 'aws-cdk-lib';
import { ConfigError } from '../../lambdas/functions/config.ts';
import { DriftlessStack } from '../cdk/DriftlessStack.ts';
import { StackPropsError } from '../cdk/parseProperty.ts';
import { readKnobs } from '../cdk/readKnobs.ts';

const EXIT_USAGE = 2;

try {
  const app = new App();
  const { stackName, ...knobs } = readKnobs((name) => app.node.tryGetContext(name) as unknown);
  // The logical ids are the same whatever the stack's name, so one account can hold several.
  new DriftlessStack(app, 'Driftless', knobs, { stackName });
} catch (error) {
  if (!(error instanceof StackPropsError || error instanceof ConfigError)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exit(EXIT_USAGE);
}
