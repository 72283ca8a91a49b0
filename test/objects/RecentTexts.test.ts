import { expect, test } from 'vitest';
import { RecentTexts } from '../../lambdas/objects/RecentTexts.ts';

/** Returns the objects whose text is still kept. */
function kept(texts: RecentTexts, objects: readonly object[]): readonly object[] {
  return objects.filter((object) => texts.get(object, () => 'made again') !== 'made again');
}

test.each([
  ['count', { count: 3, characters: 1_000 }],
  ['total length', { count: 100, characters: 30 }],
])('recent texts are kept up to their %s, the latest ones', (_, limits) => {
  const texts = new RecentTexts(limits);
  const objects = Array.from({ length: 10 }, (_object, n) => ({ n }));
  for (const object of objects) texts.get(object, () => 'ten signs.');
  expect(kept(texts, objects.slice(-3))).toEqual(objects.slice(-3));
  expect(kept(texts, objects.slice(0, 1))).toEqual([]);
});

test('a text that is longer than all texts together may be is returned and not kept', () => {
  const texts = new RecentTexts({ count: 10, characters: 5 });
  const object = {};
  expect(texts.get(object, () => 'a long text')).toBe('a long text');
  expect(kept(texts, [object])).toEqual([]);
});

test('a text is made once while it is kept', () => {
  const texts = new RecentTexts({ count: 10, characters: 100 });
  const object = {};
  const made = [1, 2].map((n) => texts.get(object, () => `text ${n}`));
  expect(made).toEqual(['text 1', 'text 1']);
});
