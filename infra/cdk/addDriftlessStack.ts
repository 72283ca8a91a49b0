import type { App } from 'aws-cdk-lib';
import { DriftlessStack } from './DriftlessStack.ts';
import { DEFAULT_STACK_PROPS, type DriftlessStackProps } from './DriftlessStackProps.ts';
import { parseFields, text } from './parseProperty.ts';

/**
 * Adds the stack that the app's context describes (see readKnobs). The logical ids do not depend on the stack's name, so an account can hold several stacks.
 * Throws a StackPropsError or a ConfigError for an invalid knob.
 */
export function addDriftlessStack(app: App): DriftlessStack {
  const { stackName, ...knobs } = readKnobs((name) => app.node.tryGetContext(name) as unknown);
  return new DriftlessStack(app, 'Driftless', knobs, { stackName });
}

/** Any of the stack's knobs as the user wrote them, not validated yet, and the stack's name. */
export type Knobs = Partial<DriftlessStackProps> & { readonly stackName: string };

const DEFAULT_STACK_NAME = 'driftless';
/** The names of all knobs, and `stackName`. */
export const KNOB_NAMES: readonly string[] = [
  'clusterId',
  'alarmEmail',
  'alarmTopicArn',
  'monthlyBudget',
  'accountConcurrency',
  'maxWatches',
  'nodeNetwork',
  'workerGroup',
  'directAddress',
  'zoneIds',
  'syncMaxConcurrency',
  'vpcEndpointId',
  'endpointSubnetIds',
  'domain',
  'firewall',
  'encryptionKey',
  'backupCopies',
  'stackName',
  ...Object.keys(DEFAULT_STACK_PROPS),
];

const parseStackName = text(
  /^[A-Za-z][A-Za-z0-9-]{0,99}$/,
  'letters, digits and -, beginning with a letter, up to 100',
);

/**
 * Reads the knobs from the context: the object `driftless` of cdk.json, overridden by each `-c driftless:KNOB=VALUE`. A value on the command line is JSON; if it
 * is not valid JSON, it is taken as text. Throws a StackPropsError for an unknown knob, or a stack name that CloudFormation would refuse. The stack validates the
 * other knobs.
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
