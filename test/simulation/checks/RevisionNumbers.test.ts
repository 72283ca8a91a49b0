import { expect, test } from 'vitest';
import { templatePatch } from '../../../lambdas/controllers/history/templatePatch.ts';
import type { ControllerRevision } from '../../../lambdas/objects/kinds.ts';
import { storedDaemonSet } from '../../support/daemonSetFixtures.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { RevisionNumbers } from './RevisionNumbers.ts';
import { unfinishedDaemonSet } from '../ends/daemonset.ts';

const DAEMON_SET = {
  ...storedDaemonSet(),
  status: { observedGeneration: 1, desiredNumberScheduled: 0, currentNumberScheduled: 0, numberReady: 0 },
};
const KEY = { controller: 'daemonset', namespace: 'default', name: 'agent' } as const;

/** The revision with that number of a template with that image. */
function revisionOf(image: string, revision: number): ControllerRevision {
  const { metadata, spec } = DAEMON_SET;
  const template = { ...spec?.template, spec: { ...spec?.template?.spec, containers: [{ name: 'main', image }] } };
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: metadata.uid, controller: true };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { ...metadata, name: image, uid: image, ownerReferences: [owner] },
    data: templatePatch(template),
    revision,
  };
}

/** Writes revisions, the nth at n * 10 ms; the last by a sync that began at `beganMs`. Returns the world, and what the check says about the last. */
function write(revisions: readonly ControllerRevision[], beganMs: number) {
  const world = new World();
  const check = new RevisionNumbers(world);
  world.apply({ type: 'ADDED', resource: 'daemonsets.apps', version: 0, after: DAEMON_SET });
  const said = revisions.map((after, at) => {
    const change = { type: 'ADDED', resource: 'controllerrevisions.apps', version: at + 1, after } as const;
    world.apply(change);
    const isLast = at === revisions.length - 1;
    const trail = isLast ? new SyncTrail(KEY, beganMs, undefined) : undefined;
    return check.onWrite({ writer: 'daemonset', trail, change, order: at }, (at + 1) * 10);
  });
  return { world, violation: said.at(-1) };
}

const [OLD, LATE, CURRENT] = [revisionOf('agent:0', 1), revisionOf('agent:00', 1), revisionOf('agent:1', 2)];

test.each<[string, readonly ControllerRevision[], number, RegExp | undefined]>([
  ['a revision has the next number', [OLD, CURRENT], 15, undefined],
  ['a create comes late, by a sync that began before the others', [OLD, CURRENT, LATE], 5, undefined],
  ['a sync gives a number that another had when it began', [OLD, LATE], 15, /gets number 1, though .*agent:0 had 1/],
])('%s', (_, revisions, beganMs, expected) => {
  const { violation } = write(revisions, beganMs);
  if (expected) expect(violation).toMatch(expected);
  else expect(violation).toBeUndefined();
});

test.each<[string, readonly ControllerRevision[], string | undefined]>([
  ['at the end two old revisions may share a number, as in Kubernetes', [OLD, LATE, CURRENT], undefined],
  [
    'at the end one revision is the newest',
    [revisionOf('agent:0', 2), CURRENT],
    'DaemonSet default/agent has several newest revisions: 2, 2',
  ],
])('%s', (_, revisions, expected) => {
  expect(unfinishedDaemonSet(write(revisions, 0).world)).toBe(expected);
});
