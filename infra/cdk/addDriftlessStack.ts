import type { App } from 'aws-cdk-lib';
import { DriftlessStack } from './DriftlessStack.ts';
import { readKnobs } from './readKnobs.ts';

/**
 * Adds the stack that the app's context describes (see readKnobs). Its logical ids are the same whatever it is called, so an account can hold several. Throws a
 * StackPropsError or a ConfigError for what cannot be used.
 */
export function addDriftlessStack(app: App): DriftlessStack {
  const { stackName, ...knobs } = readKnobs((name) => app.node.tryGetContext(name) as unknown);
  return new DriftlessStack(app, 'Driftless', knobs, { stackName });
}
