import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { ClientKnowledge } from './ClientKnowledge.ts';
import { CloudHistory } from './CloudHistory.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NOTHING = new Map<string, number>();

/** Writes of two pods: `a` at versions 1, 3 and 5, `b` at 2 and 4. */
function openWorld() {
  const history = new CloudHistory('pods', () => 0);
  for (const [name, version] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['b', 4],
    ['a', 5],
  ] as const) {
    history.append(changeOf(name, version), 0);
  }
  const knowledge = new ClientKnowledge(history);
  const watch = (...versions: readonly number[]) => {
    knowledge.beginWatch();
    return versions.map((version) => knowledge.change(changeOf(version % 2 === 1 ? 'a' : 'b', version)));
  };
  const listAll = () => knowledge.list([podOf('a', 5), podOf('b', 4)], 6, NOTHING, history.mark());
  return { history, knowledge, watch, listAll };
}

function podOf(name: string, version: number): KubernetesObject {
  return { metadata: { name, namespace: 'n', uid: name, resourceVersion: String(version) } } as KubernetesObject;
}

function changeOf(name: string, version: number): Change {
  const after = podOf(name, version);
  return { type: 'MODIFIED', resource: 'pods', version, before: after, after };
}

test('a client that listed nothing and heard of every change knows all', () => {
  const { knowledge, watch } = openWorld();
  expect(knowledge.list([], 1, NOTHING, NOTHING)).toBeUndefined();
  expect(watch(1, 2, 3, 4, 5)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(knowledge.behind()).toBeUndefined();
});

test('a gap, a repeat in one watch and a version that nobody wrote are told', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  expect(watch(1, 5)[1]).toContain('has missed a change');
  expect(watch(2, 2)[1]).toContain('twice in one watch');
  expect(watch(7)[0]).toContain('never written');
});

test('after a list nothing comes again, whatever was logged meanwhile', () => {
  const { knowledge, watch, listAll } = openWorld();
  expect(listAll()).toBeUndefined();
  expect(knowledge.isExact).toBe(true);
  expect(watch(3)[0]).toContain('goes back to version 3');
});

test('a list must show what stood at its time', () => {
  const { history, knowledge } = openWorld();
  const all = history.mark();
  expect(knowledge.list([podOf('a', 3), podOf('b', 4)], 6, all, all)).toContain('as it was at no time');
});

test('a client that resumes from a change that was logged late may go back, and is behind until it has got on again', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  expect(watch(1, 3, 5, 2)).toEqual([undefined, undefined, undefined, undefined]);
  expect([knowledge.position, knowledge.isExact]).toEqual([2, false]);
  expect(watch(3)).toEqual([undefined]);
  expect(knowledge.behind()).toBeDefined();
  expect(watch(5, 2, 4)).toEqual([undefined, undefined, undefined]);
  expect(knowledge.behind()).toBeUndefined();
});

test('a client that went back and was interrupted again may go back once more, until it hears of something new', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  watch(1, 3, 2);
  watch(3);
  expect(knowledge.isExact).toBe(false);
  expect(watch(2)).toEqual([undefined]);
  watch(4);
  expect(knowledge.isExact).toBe(true);
  expect(watch(2)[0]).toContain('goes back to version 2');
});

test('a client that got a bookmark after a late change must not go back', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  watch(1, 3, 5, 2);
  expect(knowledge.bookmark(6)).toBeUndefined();
  expect(watch(3)[0]).toContain('goes back to version 3');
});

test('a bookmark at the highest version is no exact position of a client that went back behind later changes', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  watch(1, 3, 5, 2);
  watch(3, 5);
  expect(knowledge.bookmark(5)).toBeUndefined();
  expect(knowledge.isExact).toBe(false);
  expect(watch(2)).toEqual([undefined]);
  expect(knowledge.bookmark(6)).toBeUndefined();
  expect(knowledge.isExact).toBe(true);
});

test('a bookmark is no exact position of a client that went back, even if it is above all versions that the client knows', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  watch(1, 3, 2);
  watch(3);
  expect(knowledge.bookmark(4)).toBeUndefined();
  expect(knowledge.isExact).toBe(false);
  expect(watch(2, 4)).toEqual([undefined, undefined]);
  expect(knowledge.bookmark(6)).toBeUndefined();
  expect(knowledge.isExact).toBe(true);
});

test('a bookmark before the list is no exact position of a client that went back behind its list', () => {
  const { history, knowledge, watch } = openWorld();
  expect(knowledge.list([podOf('a', 3), podOf('b', 2)], 10, NOTHING, history.mark())).toBeUndefined();
  watch(5);
  expect(watch(3)).toEqual([undefined]);
  expect(knowledge.bookmark(8)).toBeUndefined();
  expect(knowledge.isExact).toBe(false);
  expect(watch(2)).toEqual([undefined]);
  expect(knowledge.bookmark(10)).toBeUndefined();
  expect(knowledge.isExact).toBe(true);
  expect(watch(3)[0]).toContain('goes back to version 3');
});

test('a client may miss a change whose record was given up, and must then list again', () => {
  const { history, knowledge, watch, listAll } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  history.lose(3);
  expect(watch(1, 2, 5, 4)).toEqual([undefined, undefined, undefined, undefined]);
  expect(knowledge.behind()).toBe('everything');
  expect(listAll()).toBeUndefined();
  expect(knowledge.behind()).toBeUndefined();
});

test('bookmarks and lists never go back', () => {
  const { knowledge, watch } = openWorld();
  knowledge.list([], 1, NOTHING, NOTHING);
  watch(1, 2, 3);
  expect(knowledge.bookmark(2)).toContain('gets a bookmark at 2');
  expect(knowledge.list([], 2, NOTHING, NOTHING)).toContain('lists at position 2');
});

test.each([
  ['events', undefined],
  ['pods', 'goes back to version 2'],
])(
  'after a list that left out an object of %s, a watch tells of its end only if it ended by itself',
  (resource, why) => {
    const history = new CloudHistory(resource, () => 2 * HOUR_MS);
    const created = { ...changeOf('e', 1), resource };
    const ended: Change = { type: 'DELETED', resource, version: 2, before: podOf('e', 1) };
    history.append(created, 0, resource === 'events' ? HOUR_MS : undefined);
    history.append(ended, 2 * HOUR_MS);
    const knowledge = new ClientKnowledge(history);
    expect(knowledge.list([], 1, history.mark(), history.mark())).toBeUndefined();
    knowledge.beginWatch();
    const violation = knowledge.change(ended);
    if (why === undefined) expect(violation).toBeUndefined();
    else expect(violation).toContain(why);
  },
);

test.each([
  ['59 minutes later, by clocks that are right', 59, 60, 0, 'as it was at no time'],
  ['an hour later', 60, 60, 0, undefined],
  ['45 minutes later, by a reader whose clock may be half an hour fast', 45, 60, 30, undefined],
  [
    'two minutes later, if the clock of its writer was half an hour slow, and that of the reader may be as fast',
    2,
    30,
    30,
    undefined,
  ],
  ['20 minutes later, if only the clock of its writer was half an hour slow', 20, 30, 0, 'as it was at no time'],
  ['at once, if it does not end by itself', 0, undefined, 30, 'as it was at no time'],
])('a list leaves out an event %s', (_, minutes, endsAfter, fastBy, why) => {
  const history = new CloudHistory('events', () => (minutes + fastBy) * MINUTE_MS);
  const created: Change = { ...changeOf('e', 1), resource: 'events' };
  history.append(created, 0, endsAfter === undefined ? undefined : endsAfter * MINUTE_MS);
  const knowledge = new ClientKnowledge(history);
  const violation = knowledge.list([], 1, history.mark(), history.mark());
  if (why === undefined) expect(violation).toBeUndefined();
  else expect(violation).toContain(why);
});

test.each([
  ['events', 2, 'events/n/e'],
  ['events', 25, undefined],
  ['pods', 25, 'pods/n/e'],
])(
  'a client that does not hear of the end of an object of %s, %d hours after it was written, lacks %s',
  (resource, hours, lacking) => {
    const history = new CloudHistory(resource, () => 0);
    const created = { ...changeOf('e', 1), resource };
    history.append(created, 0);
    const knowledge = new ClientKnowledge(history);
    expect(knowledge.list([podOf('e', 1)], 1, history.mark(), history.mark())).toBeUndefined();
    history.append({ type: 'DELETED', resource, version: 2, before: podOf('e', 1) }, hours * HOUR_MS);
    expect(knowledge.behind()).toBe(lacking);
  },
);
