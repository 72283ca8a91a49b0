import { describe, expect, test } from 'vitest';
import { customComponent } from '../../../lambdas/rest/schema/openapi/publishSchema.ts';

const GVK = { group: 'example.com', version: 'v1', kind: 'Widget' };
const OPEN = { type: 'object', 'x-kubernetes-group-version-kind': [GVK] };

describe('a kind that admits any field', () => {
  const schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { spec: { type: 'object' } },
  };

  test('is published in version 2 as its type alone, since kubectl takes named properties for all that there are', () => {
    expect(customComponent(schema, GVK, [], 2)).toEqual(OPEN);
  });

  test('is published in version 3 with its properties', () => {
    expect(customComponent(schema, GVK, [], 3)).toMatchObject({
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: { type: 'object' }, kind: { type: 'string' } },
    });
  });
});

test('a kind without a schema is published as its type alone', () => {
  expect([customComponent(undefined, GVK, [], 2), customComponent(undefined, GVK, [], 3)]).toEqual([OPEN, OPEN]);
});
