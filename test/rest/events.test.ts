import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from './startApi.ts';

const CORE = '/api/v1/namespaces/default/events';
const EVENTS_API = '/apis/events.k8s.io/v1/namespaces/default/events';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

/** An event as client-go posts it, its zero values as Go encodes them. */
const event = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'one' },
  type: 'Normal',
  reason: 'Started',
  message: 'It began.',
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  eventTime: null,
  firstTimestamp: null,
};

describe('Go shows some zero values, and so do answers', () => {
  test('an event shows its times, its source and its reporter though they are empty, in the order of Kubernetes', async () => {
    const { metadata, ...created } = (await api.call('POST', CORE, event)).body;
    expect(JSON.stringify(created)).toBe(
      JSON.stringify({
        kind: 'Event',
        apiVersion: 'v1',
        involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
        reason: 'Started',
        message: 'It began.',
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        type: 'Normal',
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      }),
    );
    expect((await api.call('GET', `${CORE}/one`)).body).toEqual({ ...created, metadata });
    expect((await api.call('GET', CORE)).body.items[0].eventTime).toBe(null);
  });

  test('an update does not hide them, and one that changes nothing else writes nothing', async () => {
    await api.call('POST', CORE, event);
    const merge = { 'content-type': 'application/strategic-merge-patch+json' };
    const patched = (await api.call('PATCH', `${CORE}/one`, { count: 2, eventTime: null }, merge)).body;
    expect(patched).toMatchObject({ count: 2, eventTime: null, lastTimestamp: null });
    const put = (await api.call('PUT', `${CORE}/one`, { ...event, count: 2 })).body;
    expect(put).toEqual(patched);
  });

  test('events.k8s.io/v1 shows them under its own names, and no empty reporter', async () => {
    await api.call('POST', CORE, event);
    const { metadata: _, ...shown } = (await api.call('GET', `${EVENTS_API}/one`)).body;
    expect(shown).toEqual({
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      eventTime: null,
      reason: 'Started',
      regarding: { kind: 'Pod', namespace: 'default', name: 'web' },
      note: 'It began.',
      type: 'Normal',
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    });
  });
});
