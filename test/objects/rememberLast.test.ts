import { expect, test, vi } from 'vitest';
import { rememberLast } from '../../lambdas/objects/rememberLast.ts';

test('the same frozen argument is answered once, another one anew', () => {
  const ask = vi.fn(({ app }: { readonly app: string }) => app === 'web');
  const remembering = rememberLast(ask);
  const [web, api] = [Object.freeze({ app: 'web' }), Object.freeze({ app: 'api' })];
  expect([web, web, api, api, web].map(remembering)).toEqual([true, true, false, false, true]);
  expect(ask).toHaveBeenCalledTimes(3);
});

test('an argument that can change is asked about each time', () => {
  const labels = { app: 'web' };
  const remembering = rememberLast(({ app }: typeof labels) => app === 'web');
  expect(remembering(labels)).toBe(true);
  labels.app = 'api';
  expect(remembering(labels)).toBe(false);
});
