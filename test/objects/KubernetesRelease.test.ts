import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KUBERNETES_RELEASES, NEWEST_RELEASE } from '../../lambdas/objects/KubernetesRelease.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const [oldest] = KUBERNETES_RELEASES;

test.each([
  ['README.md', `of version ${NEWEST_RELEASE}, or of any from ${oldest} on`],
  ['README.md', `from ${oldest} to ${NEWEST_RELEASE} (default ${NEWEST_RELEASE})`],
  ['CHANGELOG.md', `\`version: '${oldest}'\` to \`'${NEWEST_RELEASE}'\``],
])('%s says %j', (file, text) => {
  expect(textOf(file)).toContain(text);
});

test('the newest release is the last one', () => {
  expect(KUBERNETES_RELEASES.at(-1)).toBe(NEWEST_RELEASE);
});
