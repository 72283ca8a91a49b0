import { App } from 'aws-cdk-lib';
import { ConfigError } from '../../lambdas/functions/parseServedConfig.ts';
import { addDriftlessStack } from '../cdk/addDriftlessStack.ts';
import { StackPropsError } from '../cdk/parseProperty.ts';

/** The exit code for a wrong option or setting. */
const EXIT_USAGE = 2;

try {
  const app = new App();
  addDriftlessStack(app);
  app.synth();
} catch (error) {
  if (!(error instanceof StackPropsError || error instanceof ConfigError)) throw error;
  process.stderr.write(`driftless: ${error.message}\n`);
  process.exit(EXIT_USAGE);
}
