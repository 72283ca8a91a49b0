import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { decodeStreamRecord } from '../../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import { bodyAttributes, bodyOf, itemKey } from '../../../../lambdas/adapters/aws/objects/objectItem.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';

const MAPS = 'configmaps';
const KEY = itemKey({ resource: MAPS, namespace: 'default', name: 'a' });

/** An item as Lambda delivers it: as JSON, with bytes in base64. */
function image(attributes: Record<string, AttributeValue>): object {
  return JSON.parse(JSON.stringify({ ...KEY, ...attributes }, (_, value) => base64(value))) as object;
}

function base64(value: unknown): unknown {
  const bytes = value as { type?: string; data?: number[] };
  return bytes?.type === 'Buffer' ? Buffer.from(bytes.data ?? []).toString('base64') : value;
}

function live(version: number, text = 'first'): object {
  return image({ ...bodyAttributes(bodyOf(MAPS, sample('a', { text }))), version: { N: String(version) } });
}

function objectAt(version: number, text = 'first') {
  const object = sample('a', { text });
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

interface FoundChange {
  readonly type: string;
  readonly version: number;
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
  readonly replaces?: number;
}

/** The version is not in the stored JSON. */
const lengthOf = (object?: KubernetesObject) => (object ? bodyOf(MAPS, object).json.length : 0);
const tombstone = (version: number) => image({ version: { N: String(version) }, expiresAt: { N: '1' } });
const burned = image({ dead: { M: { one: { N: '1' } } }, expiresAt: { N: '1' } });
const long = 'long '.repeat(1000);

describe('decoding a record of the stream', () => {
  test.each<[string, object | undefined, object, FoundChange]>([
    ['a create', undefined, live(1), { type: 'ADDED', version: 1, after: objectAt(1) }],
    [
      'a create over a tombstone, with the version of the removal',
      tombstone(4),
      live(5),
      { type: 'ADDED', version: 5, after: objectAt(5), replaces: 4 },
    ],
    ['a create over a burned UID', burned, live(5), { type: 'ADDED', version: 5, after: objectAt(5) }],
    [
      'a replace',
      live(1),
      live(2, 'new'),
      { type: 'MODIFIED', version: 2, before: objectAt(1), after: objectAt(2, 'new') },
    ],
    ['a removal', live(2), tombstone(3), { type: 'DELETED', version: 3, before: objectAt(2) }],
    ['a compressed object', undefined, live(1, long), { type: 'ADDED', version: 1, after: objectAt(1, long) }],
  ])('finds a change: %s', (_, OldImage, NewImage, change) => {
    expect(decodeStreamRecord({ dynamodb: { Keys: KEY, OldImage, NewImage } })).toEqual({
      status: 'change',
      change: { resource: MAPS, ...change },
      jsonLength: [change.before, change.after].reduce((sum, one) => sum + lengthOf(one), 0),
    });
  });

  test.each([
    ['a tombstone that expires', tombstone(3), undefined],
    ['a burned UID', undefined, burned],
    ['the tombstone of a burned UID that expires', burned, undefined],
    ['a second burn', tombstone(3), tombstone(3)],
    ['a write that keeps the version', live(3), live(3)],
  ])('finds no change: %s', (_, OldImage, NewImage) => {
    expect(decodeStreamRecord({ dynamodb: { Keys: KEY, OldImage, NewImage } })).toEqual({ status: 'none' });
  });

  test.each([
    ['an object deleted by hand', KEY, live(3), undefined, MAPS],
    ['an object whose body is missing', KEY, undefined, image({ uid: { S: 'u' }, version: { N: '1' } }), MAPS],
    [
      'a body that is not JSON',
      KEY,
      undefined,
      image({ uid: { S: 'u' }, version: { N: '1' }, body: { S: '{' } }),
      MAPS,
    ],
    ['a body that is not compressed', KEY, undefined, image({ uid: { S: 'u' }, body: { B: Buffer.from('x') } }), MAPS],
    ['a key of something else', { place: { S: 'x' } }, undefined, live(1), undefined],
    ['no key at all', undefined, undefined, undefined, undefined],
  ])('reports an unreadable record and does not throw: %s', (_, Keys, OldImage, NewImage, resource) => {
    expect(decodeStreamRecord({ dynamodb: { Keys, OldImage, NewImage } })).toEqual({
      status: 'unreadable',
      resource,
      why: expect.any(String),
    });
  });

  test('reports an empty record as unreadable', () => {
    expect(decodeStreamRecord({})).toMatchObject({ status: 'unreadable' });
  });
});
