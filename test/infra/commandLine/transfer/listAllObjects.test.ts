import { describe, expect, test } from 'vitest';
import { listAllObjects } from '../../../../infra/commandLine/transfer/listAllObjects.ts';
import type { SendRequest } from '../../../../infra/host/SendRequest.ts';

const DISCOVERY: Readonly<Record<string, object>> = {
  '/apis': { groups: [] },
  '/api/v1': {
    resources: [
      { name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: ['list', 'create'] },
      { name: 'events', kind: 'Event', namespaced: true, verbs: ['list', 'create'] },
    ],
  },
};

const named = (name: string) => ({ metadata: { name } });

/** A control plane that answers each list of ConfigMaps, by its query, with a page or a status code. */
function answering(pages: Readonly<Record<string, object | number>>) {
  const asked: string[] = [];
  const send: SendRequest = async (path) => {
    const known = DISCOVERY[path];
    if (known) return Response.json(known);
    const [, query = ''] = path.split('?');
    asked.push(query);
    const answer = pages[query] ?? 500;
    return typeof answer === 'number'
      ? Response.json({ message: `answer ${answer}` }, { status: answer })
      : Response.json(answer);
  };
  return { send, asked };
}

const first = { items: [named('a'), named('b')], metadata: { continue: 'B&' } };

describe('the list of all objects', () => {
  test('has the pages of each kind in their order, and no events', async () => {
    const { send, asked } = answering({
      'limit=500': first,
      'limit=500&continue=B%26': { items: [named('c')], metadata: { continue: '' } },
    });
    const objects = await listAllObjects(send);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap a',
      'ConfigMap b',
      'ConfigMap c',
    ]);
    expect(asked).toEqual(['limit=500', 'limit=500&continue=B%26']);
  });

  test('begins a kind again, all at once, when a page has expired, and has no object twice', async () => {
    const { send, asked } = answering({
      'limit=500': first,
      'limit=500&continue=B%26': 410,
      '': { items: [named('b'), named('c')], metadata: {} },
    });
    expect((await listAllObjects(send)).map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
    expect(asked).toEqual(['limit=500', 'limit=500&continue=B%26', '']);
  });

  test('says which list the control plane refuses', async () => {
    const { send } = answering({ 'limit=500': 403 });
    await expect(listAllObjects(send)).rejects.toThrow(
      'the control plane refuses to show /api/v1/configmaps: answer 403',
    );
  });
});
