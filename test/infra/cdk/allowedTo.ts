import type { Template } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { logicalName } from '../../../infra/cdk/createFunctions.ts';
import type { FunctionName } from '../../../infra/topology.ts';
import { resolve, resource } from './synthesizeStack.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

/** Everything that a function's role allows, as sorted lines `resource action`. */
export function allowedTo(name: FunctionName, from: Template): string[] {
  const { Role } = resolve(resource(from, logicalName(name)).Properties) as { Role: string };
  const { Properties } = resource(from, Role.replace(/^<(\w+)\.Arn>$/, '$1'));
  const policies = (Properties['Policies'] ?? []) as { PolicyDocument: { Statement: Statement[] } }[];
  const statements = policies.flatMap(({ PolicyDocument }) => resolve(PolicyDocument.Statement) as Statement[]);
  const lines = statements.flatMap(({ Effect, Action, Resource }) => {
    expect(Effect).toBe('Allow');
    return [Resource]
      .flat()
      .flatMap((one) => [Action].flat().map((action) => `${one.replace(/Log[0-9A-F]{8}\./, 'Log.')} ${action}`));
  });
  return lines.toSorted();
}
