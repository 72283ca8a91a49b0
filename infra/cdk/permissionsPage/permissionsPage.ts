import { CONDITIONS } from '../grants/conditions.ts';
import type { Caller, Grant } from '../grants/Grant.ts';
import { RESOURCE_POLICIES, type ResourcePolicy } from './resourcePolicies.ts';
import { type ManagedPolicy, STACK_ROLES, type StackRole } from './stackRoles.ts';
import { TARGET_WORDS } from './targetWords.ts';

const INTRODUCTION = `# Permissions

What each function, the container and everything else in the AWS stack may do, and what needs it. The roles and this page are made from the same data, in \`infra/cdk/permissions.ts\` and \`infra/cdk/grants\`,
and a test compares them with the template. \`npm run permissions-page\` writes this page.

One service can assume each role. What a row names makes the call itself, unless the row says who makes it for what that sets up. \`its own log group\` means all streams of the group.`;

const RESOURCES = `## Who may use the stack's resources

The policies of functions, queues and topics. Anybody else needs a permission from the account: by a role or a user.`;

const EVERYTHING = `## Statements with \`*\`

Each statement that is for all resources, for all actions or for everybody, and why it cannot be for less.`;

/** Returns `docs/permissions.md`, made from the data of the roles and policies. Pure. */
export function permissionsPage(): string {
  const sections = [
    INTRODUCTION,
    ...STACK_ROLES.map(roleSection),
    `${RESOURCES}\n\n${resourceTable()}`,
    `${EVERYTHING}\n\n${everythingTable()}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function roleSection({ title, role, assumedBy, about, grants, managedPolicies = [] }: StackRole): string {
  const rows = [...managedPolicies.map(managedRow), ...byTarget(grants).map(grantRow)];
  return [
    `## ${title}`,
    `${about} Role: \`${role}\`, of \`${assumedBy}\`.`,
    table(['May', 'On', 'Needed by', 'For', 'When'], rows),
  ].join('\n\n');
}

/** What is for the same target comes together. */
function byTarget(grants: readonly Grant[]): readonly Grant[] {
  return [...new Set(grants.map(({ on }) => on))].flatMap((target) => grants.filter(({ on }) => on === target));
}

function grantRow({ actions, on, caller, service, why, when }: Grant): readonly string[] {
  const neededBy = service === undefined ? link(caller) : `${service}, for ${link(caller)}`;
  return [code(actions), TARGET_WORDS[on], neededBy, why, when === undefined ? 'always' : CONDITIONS[when].words];
}

function managedRow({ name, caller, why, when }: ManagedPolicy): readonly string[] {
  return [`the managed policy \`${name}\``, 'what that policy lists', link(caller), why, when];
}

function resourceTable(): string {
  const rows = RESOURCE_POLICIES.map(({ resource, effect, principal, action, onlyIfWords, caller, why }) => [
    `\`${resource}\``,
    `${effect === 'Allow' ? 'allows' : 'denies'} \`${principal}\` \`${action}\``,
    onlyIfWords,
    link(caller),
    why,
  ]);
  return table(['Resource', 'Statement', 'Only if', 'Set by', 'For'], rows);
}

/** Roles that have the same statement share a row. */
function everythingTable(): string {
  const roles = STACK_ROLES.flatMap((role) => [
    ...role.grants.flatMap((grant) => everythingRow(role, grant)),
    ...(role.managedPolicies ?? []).map(
      ({ name, whyEverything }) => [`the managed policy \`${name}\``, role.title, whyEverything] as const,
    ),
  ]);
  const resources = RESOURCE_POLICIES.flatMap(resourceRow);
  const all = [...roles, ...resources];
  const rows = all.map(([what, , why]) => {
    const holders = all.filter((other) => other[0] === what && other[2] === why).map(([, holder]) => holder);
    return [what, [...new Set(holders)].join(', '), why];
  });
  const distinct = new Map(rows.map((row) => [row.join(), row]));
  return table(['Statement', 'Of', 'Why'], [...distinct.values()]);
}

type EverythingRow = readonly [what: string, holder: string, why: string];

function everythingRow({ title }: StackRole, grant: Grant): readonly EverythingRow[] {
  return grant.on === 'everything' ? [[code(grant.actions), title, grant.whyEverything]] : [];
}

function resourceRow({
  resource,
  effect,
  action,
  principal,
  onlyIfWords,
  whyEverything,
}: ResourcePolicy): readonly EverythingRow[] {
  if (whyEverything === undefined) return [];
  const what = `${effect === 'Allow' ? 'allows' : 'denies'} \`${principal}\` \`${action}\` if ${onlyIfWords}`;
  return [[what, `\`${resource}\``, whyEverything]];
}

/** Returns the name of what makes a call, and its file. */
export function callerParts(caller: Caller): { readonly file: string; readonly name: string } {
  const [file = '', name = file.replace(/^.*\/|\.ts$/g, '')] = caller.split('#');
  return { file, name };
}

function link(caller: Caller): string {
  const { file, name } = callerParts(caller);
  return `[\`${name}\`](../${file})`;
}

function code(actions: readonly string[]): string {
  return actions.map((action) => `\`${action}\``).join(', ');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
