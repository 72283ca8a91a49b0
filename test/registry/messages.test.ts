import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FieldError, fieldErrorMessage, fieldErrorsMessage } from '../../lambdas/objects/FieldError.ts';
import { goQuote } from '../../lambdas/objects/goQuote.ts';
import { copyJson, jsonEqual } from '../../lambdas/objects/json.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { eventFromStorage, eventToStorage } from '../../lambdas/registry/versions/eventVersions.ts';

describe('field errors read as Go prints them', () => {
  it.each<[FieldError, string]>([
    [{ type: 'FieldValueRequired', field: 'a', detail: '' }, 'a: Required value'],
    [{ type: 'FieldValueRequired', field: 'a', badValue: '', detail: 'say it' }, 'a: Required value: say it'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: -1, detail: 'no' }, 'a: Invalid value: -1: no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: 'x"y', detail: 'no' }, 'a: Invalid value: "x\\"y": no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: true, detail: 'no' }, 'a: Invalid value: true: no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: undefined, detail: 'no' }, 'a: Invalid value: "null": no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: { b: 1 }, detail: 'no' }, 'a: Invalid value: {"b":1}: no'],
    [
      { type: 'FieldValueNotSupported', field: 'a', badValue: 'x', detail: 'supported values: "b", "c"' },
      'a: Unsupported value: "x": supported values: "b", "c"',
    ],
    [{ type: 'FieldValueDuplicate', field: 'a', badValue: 'x', detail: '' }, 'a: Duplicate value: "x"'],
    [{ type: 'FieldValueNotFound', field: 'a', badValue: 'x', detail: '' }, 'a: Not found: "x"'],
    [{ type: 'FieldValueForbidden', field: 'a', badValue: 'x', detail: 'no' }, 'a: Forbidden: no'],
    [
      { type: 'FieldValueTooLong', field: 'a', badValue: 'x', detail: 'may not be more than 3 bytes' },
      'a: Too long: may not be more than 3 bytes',
    ],
    [
      { type: 'FieldValueTooMany', field: 'a', badValue: 5, detail: 'must have at most 3 items' },
      'a: Too many: 5: must have at most 3 items',
    ],
  ])('%j', (error, message) => {
    expect(fieldErrorMessage(error)).toBe(message);
  });

  it('several stand in brackets, and none twice', () => {
    const error: FieldError = { type: 'FieldValueRequired', field: 'a', detail: '' };
    expect(fieldErrorsMessage([error, error])).toBe('a: Required value');
    expect(fieldErrorsMessage([error, { ...error, field: 'b' }, error])).toBe('[a: Required value, b: Required value]');
  });

  it.each([
    ['plain', '"plain"'],
    ['tab\tnew\nline', '"tab\\tnew\\nline"'],
    ['back\\slash', '"back\\\\slash"'],
    ['\x00\x1b\x7f', '"\\x00\\x1b\\x7f"'],
    ['ä€😀', '"ä€😀"'],
    ['\u200b\u00a0', '"\\u200b\\u00a0"'],
  ])('%j is quoted', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
});

describe('JSON', () => {
  it('a copy is equal, and another', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonEqual(copyJson(value), value)).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: null }, {}, true],
    [{ a: [] }, {}, true],
    [{ a: {} }, {}, false],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{}, { constructor: 1 }, false],
  ])('%j equals %j: %j', (a, b, expected) => {
    expect([jsonEqual(a, b), jsonEqual(b, a)]).toEqual([expected, expected]);
  });

  it('a key named __proto__ stays a key', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(copyJson(hostile))).toEqual(['__proto__']);
    expect(copyJson(hostile)).not.toHaveProperty('polluted');
  });
});

describe('events in both of their APIs', () => {
  const core = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'ns' },
    message: 'Created pod: web',
    reason: 'SuccessfulCreate',
    involvedObject: { kind: 'ReplicaSet', name: 'web' },
    reportingComponent: 'replicaset-controller',
    source: { component: 'replicaset-controller' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:01Z',
    count: 2,
    series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
  };

  it('the same event has other names for its fields in events.k8s.io', () => {
    const draft = structuredClone(core) as unknown as KubernetesObject;
    eventFromStorage(draft);
    expect(draft).toMatchObject({
      note: 'Created pod: web',
      regarding: { kind: 'ReplicaSet' },
      reportingController: 'replicaset-controller',
      deprecatedSource: { component: 'replicaset-controller' },
      deprecatedCount: 2,
      series: { count: 2 },
    });
    expect(draft).not.toHaveProperty('message');
    eventToStorage(draft);
    expect(draft).toEqual(core);
  });
});

describe('resource entries', () => {
  it('each stands once, under its plural and group', () => {
    const names = resourceEntries.map(({ plural, group }) => (group === '' ? plural : `${plural}.${group}`));
    expect(resourceEntries.map(({ groupResource }) => groupResource)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  });

  it('each serves the version that it stores, and selects by fields of an object that says nothing', () => {
    for (const entry of resourceEntries) {
      expect(entry.versions.some(({ version, group }) => version === entry.storageVersion && group === undefined)).toBe(
        true,
      );
      const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' };
      const fields = entry.selectableFields?.({ apiVersion: '', kind: entry.kind, metadata }) ?? {};
      expect(Object.values(fields).every((value) => typeof value === 'string')).toBe(true);
    }
  });
});
