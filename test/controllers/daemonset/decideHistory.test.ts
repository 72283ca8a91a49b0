import { describe, expect, test } from 'vitest';
import { decideHistory, hashOf, revisionsToDelete } from '../../../lambdas/controllers/daemonset/decideHistory.ts';
import { templatePatch } from '../../../lambdas/controllers/history/templatePatch.ts';
import type { ControllerRevision } from '../../../lambdas/objects/kinds.ts';
import { storedDaemonSet, storedPod } from '../../support/daemonSetFixtures.ts';

const DAEMON_SET = storedDaemonSet();
const template = (image: string) => ({
  ...DAEMON_SET.spec?.template,
  spec: { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 1 },
});

/** The revision of this number that keeps a template with this image; its hash is the letter before the number. */
function revision(name: string, image: string): ControllerRevision {
  const labels = { app: 'agent', 'controller-revision-hash': name };
  const metadata = {
    name: `agent-${name}`,
    namespace: 'default',
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata,
    data: templatePatch(template(image)),
    revision: Number(name.slice(1)),
  };
}

const TABLE: readonly [string, readonly ControllerRevision[], object][] = [
  ['the first revision has number 1', [], { current: undefined, revision: 1, old: [], duplicates: [] }],
  [
    'a new template gets the next number',
    [revision('a1', 'agent:0'), revision('b2', 'agent:00')],
    { current: undefined, revision: 3, old: ['a1', 'b2'] },
  ],
  ['a template that is kept needs no new one', [revision('a1', 'agent:1')], { current: 'a1', revision: 1, old: [] }],
  [
    'a template that comes back is to be the newest',
    [revision('a1', 'agent:1'), revision('b2', 'agent:2')],
    { current: 'a1', revision: 3, old: ['b2'] },
  ],
  [
    'of two that keep it the newer one stays',
    [revision('a1', 'agent:1'), revision('b2', 'agent:1')],
    { current: 'b2', revision: 1, duplicates: ['a1'] },
  ],
  ['numbers that are left out stay so', [revision('a7', 'agent:0')], { current: undefined, revision: 8, old: ['a7'] }],
];

test.each(TABLE)('%s', (_, revisions, expected) => {
  const { current, duplicates, old, revision: number } = decideHistory(DAEMON_SET, revisions);
  const texts = {
    current: current && hashOf(current),
    duplicates: duplicates.map(hashOf),
    old: old.map(hashOf),
    revision: number,
  };
  expect(texts).toMatchObject(expected);
});

describe('the history', () => {
  const OLD = [revision('a1', 'x:1'), revision('b2', 'x:2'), revision('c3', 'x:3')];
  test.each([
    ['within its limit stays', 3, [], []],
    ['loses the oldest beyond its limit', 2, [], ['a1']],
    ['without a limit to keep loses all', 0, [], ['a1', 'b2', 'c3']],
    ['keeps those that pods have', 1, ['a1'], ['b2', 'c3']],
    ['keeps those of pods that are being deleted', 2, ['a1'], ['b2']],
  ] as const)('%s', (_, revisionHistoryLimit, live, expected) => {
    const pods = live.map((hash) => storedPod('a', 'node-1', { hash, deleting: true, phase: 'Failed' }));
    expect(revisionsToDelete(storedDaemonSet({ revisionHistoryLimit }), OLD, pods).map(hashOf)).toEqual(expected);
  });
});

test('a revision that somebody made without the label is named by itself', () => {
  const { metadata, ...rest } = revision('a1', 'x:1');
  expect(hashOf({ ...rest, metadata: { ...metadata, labels: {} } })).toBe('agent-a1');
});
