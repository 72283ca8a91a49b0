import type { Template } from 'aws-cdk-lib/assertions';
import { type Resource, resolve } from './synthesizeStack.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
  readonly Condition?: unknown;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * Returns everything that the template allows or denies, one line for each action and resource: `SyncFunctionRole: Allow dynamodb:GetItem on <KeysTable.Arn>`. These are the statements of all policies, whatever resource they are
 * in, the managed policies of roles, and the permissions to invoke functions. Logical ids are without the CDK's hashes, region and account are REGION and ACCOUNT.
 */
export function statementLines(template: Template): readonly string[] {
  const resources = Object.entries(template.toJSON()['Resources'] as Record<string, Resource>);
  const lines = resources.flatMap(([logicalId, { Type, Properties }]) => {
    const properties = (resolve(Properties) ?? {}) as Properties;
    if (Type === 'AWS::Lambda::Permission') return [invocationLine(properties)];
    const holders = holdersOf(logicalId, properties);
    const own = [...statementsIn(properties).flatMap(linesOf), ...managedPolicies(properties)];
    return holders.flatMap((holder) => own.map((line) => `${holder}: ${line}`));
  });
  return [...new Set(lines.map(symbolic))].toSorted();
}

/** A policy of its own belongs to the roles, queues or topics that it names. */
function holdersOf(logicalId: string, properties: Properties): readonly string[] {
  const named = properties['Roles'] ?? properties['Queues'] ?? properties['Topics'] ?? [logicalId];
  return (named as readonly string[]).map((name) => name.replaceAll(/[<>]/g, ''));
}

function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'Effect' in value ? [value as Statement] : Object.values(value).flatMap(statementsIn);
}

function linesOf({ Effect, Action, Resource: on, Principal, Condition }: Statement): readonly string[] {
  const principal = typeof Principal === 'object' ? Object.values(Principal).flat().join(' ') : Principal;
  const suffix = [
    ...(principal === undefined ? [] : [` to ${principal}`]),
    ...(Condition === undefined ? [] : [` if ${JSON.stringify(Condition)}`]),
  ].join('');
  const resources = on === undefined ? [''] : [on].flat().map((one) => ` on ${one}`);
  return [Action].flat().flatMap((action) => resources.map((resource) => `${Effect} ${action}${resource}${suffix}`));
}

function managedPolicies({ ManagedPolicyArns = [] }: Properties): readonly string[] {
  return (ManagedPolicyArns as readonly string[]).map((arn) => `Allow ${arn}`);
}

function invocationLine({ Action, FunctionName, Principal, SourceArn }: Properties): string {
  return `${String(FunctionName).replaceAll(/[<>]|\.Arn/g, '')}: Allow ${String(Action)} to ${String(Principal)} if ${String(SourceArn)}`;
}

function symbolic(line: string): string {
  const withoutHashes = line.replaceAll(/(?<=(?:^|<)\w+)[0-9A-F]{8}(?=[.>:])/g, '');
  return withoutHashes.replaceAll('eu-central-1', 'REGION').replaceAll('111122223333', 'ACCOUNT');
}
