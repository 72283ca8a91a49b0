import { expect, test } from 'vitest';
import { bodyAttributes, bodyOf, itemKey } from '../../../lambdas/adapters/aws/objects/objectItem.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { World } from '../World.ts';
import { CloudAudit } from './CloudAudit.ts';
import { currentWriter } from './RequestContext.ts';

const EVENT: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: {
    name: 'web.1',
    namespace: 'a',
    uid: 'u1',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
};
const KEYS = itemKey({ resource: 'events', namespace: 'a', name: 'web.1' });
const ITEM = { ...KEYS, ...bodyAttributes(bodyOf('events', EVENT)), version: { N: '1' } };

/** Returns the writers that the audit names when a request of the garbage collector is under way while the event is created and then is gone. */
function writersOf(gone: { readonly isExpiry: boolean }): readonly string[] {
  const writers: string[] = [];
  const time = { now: () => 0, rates: () => ({ skewMs: 0, wrongClock: 0 }) };
  const locks = { onIntent: () => {}, onAcquire: () => {}, onRelease: () => {} };
  const fail = (failure: string) => expect.fail(failure);
  const audit = new CloudAudit(new World(), time, locks, ({ writer }) => writers.push(writer), fail);
  currentWriter.run({ by: 'garbagecollector', trail: undefined }, () => {
    audit.onObjectItem({ keys: KEYS, before: undefined, after: ITEM, isExpiry: false });
    const tombstone = gone.isExpiry ? undefined : { ...KEYS, version: { N: '2' }, expiresAt: { N: '1' } };
    audit.onObjectItem({ keys: KEYS, before: ITEM, after: tombstone, ...gone });
  });
  return writers;
}

test('a deletion belongs to the writer whose request is under way', () => {
  expect(writersOf({ isExpiry: false })).toEqual(['garbagecollector', 'garbagecollector']);
});

// The model deletes what has expired when anybody's request comes to the table.
test('a deletion by the time to live belongs to no writer', () => {
  expect(writersOf({ isExpiry: true })).toEqual(['garbagecollector', 'cloud']);
});
