import { expect, test } from 'vitest';
import type { LogPart, LogSegment } from '../../../../lambdas/adapters/aws/log/LogSegment.ts';
import { encodeChanges } from '../../../../lambdas/adapters/aws/log/logContents.ts';
import { SegmentCache } from '../../../../lambdas/adapters/aws/log/SegmentCache.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../../lambdas/ports/ChangeLog.ts';

function added(namespace: string, version: number): Change {
  const metadata = { namespace, name: `web-${version}`, uid: `uid-${version}`, resourceVersion: `${version}` };
  return { type: 'ADDED', resource: 'pods', version, after: { metadata } as KubernetesObject };
}

// The segment's position is its highest version: a client that is interrupted behind that change would never get those that came after it.
test("a segment's changes come in the order of their versions, whatever their namespaces", async () => {
  const [encoded, ...others] = encodeChanges([added('b', 87), added('b', 88), added('a', 90)]);
  expect(others).toEqual([]);
  const segment: LogSegment = {
    kind: 'changes',
    segment: 1,
    position: 90,
    previousPosition: 86,
    versions: [87, 88, 90],
    parts: [encoded as LogPart],
    atMs: 0,
    expiresAtMs: 1,
  };
  const cache = new SegmentCache('pods', { read: async (_, { bytes }) => bytes ?? 'gone' });
  const changes = await cache.changesOf(segment, {});
  expect(changes === 'gone' ? changes : changes.map(({ version }) => version)).toEqual([87, 88, 90]);
});
