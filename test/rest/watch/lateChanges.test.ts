import { expect, test } from 'vitest';
import type { Change, LogCursor } from '../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';
import { startApi } from '../startApi.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Step {
  readonly changes: readonly Change[];
  /** The log's position after the changes. */
  readonly position: number;
}

function added(name: string, version: number, labels: Record<string, string> = {}) {
  const object = sample(name);
  const metadata = { ...object.metadata, namespace: 'default', labels, resourceVersion: String(version) };
  return { type: 'ADDED', resource: 'configmaps', version, after: { ...object, metadata } } as const;
}

/** Watches a log that has these steps, until it has no more. Returns each event's type, object and version. */
async function watched(steps: readonly Step[], query: string): Promise<readonly string[]> {
  const left = [...steps];
  let position = 1;
  const end = new AbortController();
  const cursor: LogCursor = {
    get position() {
      return position;
    },
    next: async () => {
      const step = left.shift();
      if (!step) end.abort();
      position = step?.position ?? position;
      return step?.changes ?? [];
    },
    close: () => {},
  };
  const { changeLog } = await startApi();
  const open = async () => ({ status: 'open', cursor }) as const;
  const api = await startApi({
    changeLog: {
      head: (resource) => changeLog.head(resource),
      reached: (...reached) => changeLog.reached(...reached),
      catchUp: (...list) => changeLog.catchUp(...list),
      changesSince: (...list) => changeLog.changesSince(...list),
      open,
    },
  });
  const path = `${MAPS}?watch=true&resourceVersion=1&${query}`;
  const response = await api.app.request(path, { signal: end.signal });
  if (!response.body) throw new Error('the watch has no body');
  const reader = response.body.getReader();
  const events: string[] = [];
  while (!end.signal.aborted) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const line of new TextDecoder()
      .decode(value)
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: Record<string, string> } };
      events.push(`${type} ${object.metadata['name'] ?? ''}@${object.metadata['resourceVersion']}`);
    }
  }
  await reader.cancel();
  return events;
}

test('a change that was logged after higher versions is followed by a bookmark, from which the client can resume exactly', async () => {
  const steps = [
    { changes: [added('a', 54)], position: 54 },
    { changes: [added('b', 47)], position: 60 },
  ];
  const events = await watched(steps, 'allowWatchBookmarks=true');
  expect(events.slice(0, 3)).toEqual(['ADDED a@54', 'ADDED b@47', 'BOOKMARK @60']);
  expect((await watched(steps, '')).slice(0, 2)).toEqual(['ADDED a@54', 'ADDED b@47']);
});

test('an object whose earlier states were left out is DELETED for a selection that it is not in, since it may have been', async () => {
  const before = added('a', 3, { app: 'other' }).after;
  const { after } = added('a', 5, { app: 'other' });
  const change = { type: 'MODIFIED', resource: 'configmaps', version: 5, before, after } as const;
  const events = await watched(
    [
      { changes: [change], position: 5 },
      { changes: [{ ...change, version: 6, merged: true }], position: 6 },
    ],
    'labelSelector=app%3Dweb',
  );
  expect(events).toEqual(['DELETED a@6']);
});
