import type { App } from 'aws-cdk-lib';
import { DriftlessStack } from './DriftlessStack.ts';
import { DEFAULT_STACK_PROPS, type DriftlessStackProps } from './DriftlessStackProps.ts';
import { parseFields, text } from './parseProperty.ts';

/**
 * Adds the stack that the app's context describes (see readKnobs). Its logical ids are the same whatever it is called, so an account can hold several. Throws a
 * StackPropsError or a ConfigError for what cannot be used.
 */
export function addDriftlessStack(app: App): DriftlessStack {
  const { stackName, ...knobs } = readKnobs((name) => app.node.tryGetContext(name) as unknown);
  return new DriftlessStack(app, 'Driftless', knobs, { stackName });
}

/** What a person wrote: any of the stack's knobs, not looked at yet, and what the stack is called. */
export type Knobs = Partial<DriftlessStackProps> & { readonly stackName: string };

const DEFAULT_STACK_NAME = 'driftless';
const KNOB_NAMES = ['clusterId', 'alarmTopicArn', 'stackName', ...Object.keys(DEFAULT_STACK_PROPS)];

const parseStackName = text(
  /^[A-Za-z][A-Za-z0-9-]{0,99}$/,
  'letters, digits and -, beginning with a letter, up to 100',
);

/**
 * Reads the context: the object `driftless` in cdk.json, over which goes whatever `-c driftless:KNOB=VALUE` says. Values on the command line are JSON, or texts if
 * they are none. Throws a StackPropsError for a stack name that CloudFormation would not take; the other knobs are the stack's to judge.
 */
export function readKnobs(context: (name: string) => unknown): Knobs {
  const written = parseFields(context('driftless') ?? {}, '', KNOB_NAMES);
  const overrides = KNOB_NAMES.map((name) => [name, parseOverride(context(`driftless:${name}`))] as const);
  const knobs = { ...written, ...Object.fromEntries(overrides.filter(([, value]) => value !== undefined)) };
  const { stackName = DEFAULT_STACK_NAME, ...others } = knobs as Readonly<Record<string, unknown>>;
  return { ...(others as Partial<DriftlessStackProps>), stackName: parseStackName(stackName, 'stackName') };
}

function parseOverride(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
