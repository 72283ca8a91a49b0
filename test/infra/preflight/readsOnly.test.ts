import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PREFLIGHT_HELP } from '../../../infra/preflight/preflightHelp.ts';

const FOLDER = 'infra/preflight';
const text = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .join('\n');

/** The operations that the preflight sends: commands of the SDK, and its paginators. */
const operations = [...text.matchAll(/\b(?:new (\w+)Command\b|paginate(\w+)\()/g)].map(
  ([, command, paged]) => command ?? paged ?? '',
);

test('the preflight sends only commands that read', () => {
  expect(operations.length).toBeGreaterThan(15);
  expect(operations.filter((name) => !/^(?:Get|List|Describe)[A-Z]/.test(name))).toEqual([]);
});

test('each permission that a check needs is in the help', () => {
  const actions = [...text.matchAll(/'([a-z0-9]+:[A-Z]\w+)(?: of [^']+)?'/g)].map(([, action = '']) => action);
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter((action) => !PREFLIGHT_HELP.includes(action))).toEqual([]);
});
