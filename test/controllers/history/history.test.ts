import { describe, expect, test } from 'vitest';
import {
  controllerRevisionName,
  hashControllerRevision,
} from '../../../lambdas/controllers/history/newControllerRevision.ts';
import {
  findEqualRevisions,
  nextRevision,
  sortControllerRevisions,
} from '../../../lambdas/controllers/history/sortControllerRevisions.ts';
import { equalRevision, templateOf, templatePatch } from '../../../lambdas/controllers/history/templatePatch.ts';
import { truncateHistory } from '../../../lambdas/controllers/history/truncateHistory.ts';
import { draftOf, OWNER, revisionOf } from '../../support/historyFixtures.ts';

describe('a revision', () => {
  test('is named after its owner and its content, and has the labels of the template', () => {
    const { metadata } = draftOf('nginx:1');
    const hash = hashControllerRevision(draftOf('nginx:1').data, undefined);
    expect(metadata).toMatchObject({
      name: `web-${hash}`,
      namespace: 'default',
      labels: { app: 'web', 'controller.kubernetes.io/hash': hash },
      ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
    });
  });

  test('keeps a patch that puts the whole template in the place of another, with sorted keys', () => {
    const { template = {} } = OWNER.spec ?? {};
    const patch = templatePatch(template);
    expect(Object.keys(patch.spec.template)).toEqual(['$patch', 'metadata', 'spec']);
    expect(patch.spec.template.$patch).toBe('replace');
    expect(templateOf({ data: patch })).toEqual(template);
  });

  test('has another name for each collision', () => {
    const names = [undefined, 0, 1, 2].map((count) => draftOf('nginx:1', 1, count).metadata.name);
    expect(new Set(names).size).toBe(4);
  });

  test.each([
    ['short', 'web', 'web-abc'],
    ['longer than 223 characters', 'a'.repeat(230), `${'a'.repeat(223)}-abc`],
  ])('of an owner whose name is %s has room for the hash', (_, owner, expected) => {
    expect(controllerRevisionName(owner, 'abc')).toBe(expected);
  });
});

describe('equalRevision', () => {
  const kept = (template: object) => ({ data: { spec: { template: { $patch: 'replace', ...template } } } });

  test.each<[string, object, object, boolean]>([
    ['the same template', { spec: { a: 1 } }, { spec: { a: 1 } }, true],
    ['another template', { spec: { a: 1 } }, { spec: { a: 2 } }, false],
    [
      "Go's empty creation time",
      { metadata: { creationTimestamp: null, labels: { a: 'b' } } },
      { metadata: { labels: { a: 'b' } } },
      true,
    ],
    ['empty annotations', { metadata: { annotations: {} } }, {}, true],
    ['other labels', { metadata: { labels: { a: 'b' } } }, { metadata: { labels: { a: 'c' } } }, false],
  ])('%s', (_, one, other, expected) => {
    expect(equalRevision(kept(one), kept(other))).toBe(expected);
  });

  test('compares the whole content of revisions that keep no template', () => {
    expect(equalRevision({ data: { a: 1 } }, { data: { a: 1 } })).toBe(true);
    expect(equalRevision({ data: { a: 1 } }, kept({}))).toBe(false);
  });
});

describe('the order of revisions', () => {
  const later = { creationTimestamp: '2026-01-01T00:00:01Z' };

  test.each([
    ['by number', [revisionOf('b', 2), revisionOf('a', 3), revisionOf('c', 1)], ['c', 'b', 'a']],
    ['by age if the numbers are equal', [revisionOf('a', 1, later), revisionOf('b', 1)], ['b', 'a']],
    ['by name if the ages are equal, too', [revisionOf('b', 1), revisionOf('a', 1)], ['a', 'b']],
  ])('is %s', (_, revisions, expected) => {
    expect(sortControllerRevisions(revisions).map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  test('tells the next number: 1 for the first one', () => {
    expect(nextRevision([])).toBe(1);
    expect(nextRevision([revisionOf('a', 1), revisionOf('b', 7)])).toBe(8);
  });

  test('is kept among equal revisions', () => {
    const [old, other, recent] = [revisionOf('same', 1), revisionOf('other', 2), revisionOf('same', 3)];
    expect(findEqualRevisions([old, other, recent], draftOf('same'))).toEqual([old, recent]);
  });
});

describe('truncateHistory', () => {
  const sorted = ['a', 'b', 'c', 'd'].map((name, nth) => revisionOf(name, nth + 1));

  test.each<[string, string[], number, string[]]>([
    ['as many as the limit are kept', ['d'], 3, []],
    ['the oldest ones go', ['d'], 1, ['a', 'b']],
    ['those in use are neither counted nor deleted', ['a', 'd'], 1, ['b']],
    ['a limit of 0 keeps only those in use', ['d'], 0, ['a', 'b', 'c']],
    ['a negative limit keeps all', [], -1, []],
  ])('%s', (_, live, limit, expected) => {
    const dropped = truncateHistory({ sorted, live: new Set(live), limit });
    expect(dropped.map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});
