import { Alias, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../topology.ts';
import { type Functions, logicalName } from '../createFunctions.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/** What triggers invoke for each function: the function itself, or its alias. */
export type Invoked = Readonly<Record<Exclude<FunctionName, 'api'>, IFunction>> & { readonly api?: IFunction };

/** The alias of each function. */
export const LIVE = 'live';

/**
 * Creates the alias by which each function is invoked, at its newest version; without gradual traffic there is none, and functions are invoked themselves. Triggers keep their logical ids: the trigger of a stream that is pointed to an alias stays
 * where it was in the stream (https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html).
 */
export function createAliases(
  scope: Construct,
  functions: Functions,
  { traffic }: Pick<DriftlessStackProps, 'traffic'>,
): Invoked {
  if (traffic === 'allAtOnce') return functions;
  const aliases = Object.entries(functions).map(([name, { currentVersion }]) => {
    const id = `${logicalName(name as FunctionName)}Live`;
    // The CDK's classes are not typed for exact optional properties.
    const alias = new Alias(scope, id, { aliasName: LIVE, version: currentVersion as IVersion });
    return [name, alias as IFunction] as const;
  });
  return Object.fromEntries(aliases) as Record<keyof Invoked, IFunction>;
}
