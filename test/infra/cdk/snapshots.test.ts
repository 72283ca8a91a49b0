// Slow: the stack is synthesized once for each set of knobs.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { synthesizedStacks } from './knobSets.ts';
import { differenceText, templateParts, wholeText } from './templateLines.ts';

const DIRECTORY = fileURLToPath(new URL('snapshots', import.meta.url));

const stacks = synthesizedStacks().map(({ name, knobs, template }) => ({
  name,
  file: `${name.replaceAll(/[^A-Za-z]+/g, '-')}.txt`,
  isContainer: knobs['api'] === 'container',
  parts: templateParts(template),
}));

type Seen = (typeof stacks)[number];

/** What a reviewer knows already: a set with a container shows what it has besides the plain one. */
function baseOf({ name, isContainer }: Seen): Seen | undefined {
  const base = isContainer && name !== 'container' ? 'container' : 'defaults';
  return stacks.find((other) => other.name === base && base !== name);
}

function textOf(seen: Seen): string {
  const base = baseOf(seen);
  if (!base) return wholeText(seen.parts);
  return `# What differs from: ${base.name}\n\n${differenceText(base.parts, seen.parts)}`;
}

describe('the template, as reviewers see it', () => {
  it.each(stacks)('is what snapshots/$file says', async (seen) => {
    const text = textOf(seen);
    expect(text.length).toBeGreaterThan(200);
    await expect(text).toMatchFileSnapshot(`${DIRECTORY}/${seen.file}`);
  });

  it('has no file for a set of knobs that is gone', () => {
    const files = new Set(stacks.map(({ file }) => file));
    expect(readdirSync(DIRECTORY).filter((file) => !files.has(file))).toEqual([]);
  });
});

describe('the difference of two templates', () => {
  const before = new Map([
    ['A', ['x: 1', 'y: 2']],
    ['B', ['z: 3']],
    ['C', ['same']],
  ]);

  it('has what comes, what goes and what changes, and nothing else', () => {
    const after = new Map([
      ['A', ['x: 1', 'y: 3']],
      ['C', ['same']],
      ['D', ['new: true']],
    ]);
    expect(differenceText(before, after)).toBe(
      ['  A\n  - y: 2\n  + y: 3', '- B', '+ D\n    new: true'].join('\n\n') + '\n',
    );
  });
});
