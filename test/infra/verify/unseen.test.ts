import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STEPS } from '../../../infra/verify/STEPS.ts';

const HEADER = '| What we take for granted | How to see it | Step of `verify` |';
const lines = readFileSync('docs/unseen.md', 'utf8').split('\n');
const rows = lines
  .slice(lines.indexOf(HEADER) + 2)
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

/** The names in backticks. */
function named(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test('each row of what no account has shown has three columns', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((cells) => cells.length !== 3)).toEqual([]);
});

test('each row names steps that there are, or says why it is looked at by hand', () => {
  const ids = STEPS.map(({ id }) => id);
  const wrong = rows.filter(([, , proof = '']) => {
    const steps = named(proof);
    return steps.some((step) => !ids.includes(step)) || (steps.length === 0 && !/^By hand: \w+/.test(proof));
  });
  expect(wrong).toEqual([]);
});

test('each step proves a row', () => {
  const proving = new Set(rows.flatMap(([, , proof = '']) => named(proof)));
  expect(STEPS.filter(({ id }) => !proving.has(id)).map(({ id }) => id)).toEqual([]);
});
