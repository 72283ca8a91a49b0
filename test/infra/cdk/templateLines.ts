import type { Template } from 'aws-cdk-lib/assertions';
import { type Resource, resolve } from './synthesizeStack.ts';
import { statementLines } from './templateStatements.ts';

/** What says nothing that a reviewer wants to know, or is shown elsewhere. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  AssumeRolePolicyDocument: 'is among the statements',
  Policies: 'is among the statements',
  PolicyDocument: 'is among the statements',
  Policy: 'is among the statements',
  KeyPolicy: 'is among the statements',
  ManagedPolicyArns: 'is among the statements',
  Code: 'changes with each change of the sources',
  Image: 'changes with each change of the sources',
  ServiceToken: 'names a function of the CDK',
  DashboardBody: 'is a page for people',
  Description: 'is a text for people',
  AlarmDescription: 'is a text for people',
  ResponseTemplates: 'is a body in JSON',
  UserData: 'is a script',
  Tags: 'names a construct',
  Update: 'is what `Create` is, for the calls of custom resources',
  Kubeconfig: 'is a file, with the URL that `ApiUrl` has',
};

/** The parts of the template in the order of their names: each has a title, and a line for each of its properties. */
export type TemplateParts = ReadonlyMap<string, readonly string[]>;

/**
 * Returns what a template is made of, for people who review a change: a part for each resource (`AWS::SQS::Queue WorkQueue`), one for all statements of policies, and one for the outputs. References are symbolic, and hashes of the CDK and of
 * assets are left out, so a change of the sources changes nothing here. Pure.
 */
export function templateParts(template: Template): TemplateParts {
  const { Resources, Outputs } = template.toJSON() as {
    readonly Resources: Readonly<Record<string, Resource>>;
    readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
  };
  const resources = Object.entries(Resources).map(
    ([logicalId, resource]) => [`${resource.Type} ${withoutHashes(logicalId)}`, linesOf(resource)] as const,
  );
  const shown = Object.entries(Outputs).filter(([name]) => !(name in LEFT_OUT));
  const outputs = shown.map(([name, { Value }]) => `${name}: ${text(resolve(Value))}`);
  return new Map([
    ...resources.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ['Statements', statementLines(template)],
    ['Outputs', outputs.toSorted()],
  ]);
}

/** Returns the parts as text. Pure. */
export function wholeText(parts: TemplateParts): string {
  return (
    [...parts].map(([title, lines]) => [title, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n') + '\n'
  );
}

/** Returns what `parts` have besides `base`, and what they lack, as text: `+` and `-` before a title for a whole part, and before the lines of a part that both have. Pure. */
export function differenceText(base: TemplateParts, parts: TemplateParts): string {
  const titles = [...new Set([...base.keys(), ...parts.keys()])].toSorted();
  return titles.flatMap((title) => partDifference(title, base.get(title), parts.get(title))).join('\n\n') + '\n';
}

function partDifference(
  title: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): readonly string[] {
  if (!before) return [[`+ ${title}`, ...(after ?? []).map((line) => `    ${line}`)].join('\n')];
  if (!after) return [`- ${title}`];
  const [gone, come] = [before.filter((line) => !after.includes(line)), after.filter((line) => !before.includes(line))];
  if (gone.length + come.length === 0) return [];
  return [[`  ${title}`, ...gone.map((line) => `  - ${line}`), ...come.map((line) => `  + ${line}`)].join('\n')];
}

function linesOf({ Properties, DeletionPolicy, UpdateReplacePolicy }: Resource): readonly string[] {
  const policies = [
    ...(DeletionPolicy === undefined ? [] : [`when the stack is deleted: ${DeletionPolicy}`]),
    ...(UpdateReplacePolicy === undefined ? [] : [`when it is replaced: ${UpdateReplacePolicy}`]),
  ];
  return [...flatten(resolve(Properties ?? {}), ''), ...policies];
}

function flatten(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${text(value)}`];
  const fields = Object.values(value);
  if (fields.length === 0) return [`${path}: ${Array.isArray(value) ? '[]' : '{}'}`];
  if (Array.isArray(value) && fields.every((field) => typeof field !== 'object'))
    return [`${path}: ${text(value.join(', '))}`];
  return Object.entries(value)
    .filter(([name]) => !(name in LEFT_OUT))
    .flatMap(([name, field]) => flatten(field, path === '' ? name : `${path}.${name}`));
}

function text(value: unknown): string {
  return withoutHashes(String(value)).replaceAll('\n', '⏎');
}

/** The CDK ends logical ids with a hash of their path, and that of an API's deployment with one of the whole API. Assets are named by a hash of what is in them, and calls at the end of a deployment by one of what they are for. */
function withoutHashes(name: string): string {
  return name
    .replaceAll(/(?<=[A-Za-z])[0-9A-F]{8}(?:[0-9a-f]{32})?(?![0-9A-Za-z])/g, '')
    .replaceAll(/(?<=\b|-)(?:[0-9a-f]{64}|[0-9a-f]{16})\b/g, 'HASH');
}
