import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiPage } from '../../../infra/package/apiPage.ts';

test('docs/api.md says what the docstrings say: npm run api-page writes it anew', () => {
  expect(readFileSync('docs/api.md', 'utf8')).toBe(apiPage());
});

test('the page tells of what a test uses', () => {
  const page = apiPage();
  for (const name of [
    'startCluster',
    'Cluster',
    'ClusterOptions',
    'ClusterRequestError',
    'Fault',
    'clusterTest',
    'ClusterMatchers',
  ])
    expect(page).toContain(`### ${name}\n`);
  expect(page).toContain('- `settle(): Promise<void>`\\\n  Resolves when nothing is left to do at this instant');
});
