// Slow: the stack is synthesized once for each set of knobs.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { permissionsPage } from '../../../infra/cdk/permissionsPage/permissionsPage.ts';
import { synthesizedStacks } from './knobSets.ts';
import { listedStatements } from './listedStatements.ts';
import { statementLines } from './templateStatements.ts';

const listed = listedStatements();
const listedLines = new Set(listed.map(({ line }) => line));
const stacks = synthesizedStacks().map(({ name, template }) => ({ name, lines: statementLines(template) }));
const synthesized = new Set(stacks.flatMap(({ lines }) => lines));

/** A managed policy is a list of AWS', with any number of them. */
const HAS_EVERYTHING = /\*|:policy\//;

describe('docs/permissions.md', () => {
  it('is what the data says; `npm run permissions-page` writes it', () => {
    expect(readFileSync('docs/permissions.md', 'utf8')).toBe(permissionsPage());
  });

  it.each(stacks)('lists every statement of the stack with the knobs: $name', ({ lines }) => {
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => !listedLines.has(line))).toEqual([]);
  });

  it('lists no statement that no stack has', () => {
    expect([...listedLines].filter((line) => !synthesized.has(line))).toEqual([]);
  });
});

describe('a statement with `*`', () => {
  const reasoned = new Set(listed.flatMap(({ line, whyEverything }) => (whyEverything === undefined ? [] : [line])));

  it.each(stacks)('has a reason, in the stack with the knobs: $name', ({ lines }) => {
    const everything = lines.filter((line) => HAS_EVERYTHING.test(line));
    expect(everything).not.toEqual([]);
    expect(everything.filter((line) => !reasoned.has(line))).toEqual([]);
  });

  it('has a reason only if it is in a stack and has a `*`', () => {
    const needed = [...synthesized].filter((line) => HAS_EVERYTHING.test(line));
    expect(new Set(needed)).toEqual(reasoned);
  });
});
