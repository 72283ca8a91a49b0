import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../infra/cdk/grants/Grant.ts';
import { callerParts } from '../../../infra/cdk/permissionsPage/permissionsPage.ts';
import { RESOURCE_POLICIES } from '../../../infra/cdk/permissionsPage/resourcePolicies.ts';
import { STACK_ROLES } from '../../../infra/cdk/permissionsPage/stackRoles.ts';
import { TASK_GRANTS } from '../../../infra/cdk/createRole.ts';
import { PERMISSIONS } from '../../../infra/cdk/permissions.ts';

const grants = STACK_ROLES.flatMap(({ grants: own, managedPolicies = [] }) => [...own, ...managedPolicies]);
const callers = [...new Set([...grants, ...RESOURCE_POLICIES].map(({ caller }) => caller))];
const ownGrants = [...Object.values(PERMISSIONS).flat(), ...TASK_GRANTS];

/** The commands of the SDK that need an action. A batch needs the action of a single message. */
function commandsOf(action: string): readonly string[] {
  const name = action.replace(/^\w+:/, '');
  return action.startsWith('sqs:') ? [`${name}Command`, `${name}BatchCommand`] : [`${name}Command`];
}

/** `dynamodb:GetItem` of `lambdas/…/ObjectTable.ts`, for each action. */
function callsOf({ actions, caller }: Grant): readonly string[] {
  return actions.flatMap((action) => commandsOf(action).map((command) => `${callerParts(caller).file} ${command}`));
}

/** The calls of AWS in a file, in the same form. */
function callsIn(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(/\bnew (\w+)Command\(|\.call\('(\w+)'/g);
  return [...found].map(([, command, action]) => `${file} ${command ?? action}Command`);
}

/** Every file that a file imports, directly or not, with itself. */
function reachableFrom(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g);
  for (const [, path = ''] of imports) reachableFrom(join(dirname(file), path), seen);
  return seen;
}

describe('what needs a permission', () => {
  it.each(callers)('%s exists', (caller) => {
    const { file, name } = callerParts(caller);
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`\\b(?:function|class|const) ${name}\\b`));
  });

  it('makes the calls that the permission is for', () => {
    const without = ownGrants.filter(
      (grant) => !callsOf(grant).some((call) => callsIn(callerParts(grant.caller).file).includes(call)),
    );
    expect(without).toEqual([]);
  });

  it('is every call of AWS that the functions make', () => {
    const permitted = new Set(ownGrants.flatMap(callsOf));
    const files = readdirSync('lambdas', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const made = files.flatMap((file) => callsIn(join('lambdas', file)));
    expect(made.length).toBeGreaterThan(30);
    expect(made.filter((call) => !permitted.has(call))).toEqual([]);
  });

  it.each([
    ...Object.entries(PERMISSIONS).map(([name, own]) => [`lambdas/functions/${name}/index.ts`, own] as const),
    ['lambdas/functions/api/container.ts', TASK_GRANTS] as const,
  ])('is part of %s', (entry, own) => {
    const files = reachableFrom(entry);
    expect(own.map(({ caller }) => callerParts(caller).file).filter((file) => !files.has(file))).toEqual([]);
  });
});
