import { describe, expect, test } from 'vitest';
import { KUBERNETES_RELEASES, minorOf } from '../../../lambdas/objects/KubernetesRelease.ts';
import { cloneJson, isObject } from '../../../lambdas/objects/json.ts';
import { dropLater } from '../../../lambdas/rest/schema/dropLater.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import { pruneFields } from '../../../lambdas/rest/schema/pruneFields.ts';
import type { Schema } from '../../../lambdas/rest/schema/schemaOf.ts';
import { readRecordings, type Step } from '../../transcripts/Recording.ts';

/** The bodies of all steps that create a definition, by the names of their recordings. */
const definitions = readRecordings().flatMap(({ name, setup = [], steps }) => {
  const bodies = [...setup, ...steps].flatMap((step: Step) => (isDefinition(step.body) ? [step.body] : []));
  return bodies.map((body, index) => [`${name} ${index}`, body] as const);
});

function isDefinition(body: unknown): body is Record<string, unknown> {
  return isObject(body) && body['kind'] === 'CustomResourceDefinition' && isObject(body['spec']);
}

/** The members that came with a release after 1.29, with its number. */
const LATER: Readonly<Record<string, number>> = { selectableFields: 31, optionalOldSelf: 30 };

function without(value: unknown, minor: number): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, minor));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => (LATER[name] ?? 0) <= minor);
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, minor)]));
}

describe.each(KUBERNETES_RELEASES)('release %s', (release) => {
  const schema = kindSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition', release) as Schema;
  const newest = kindSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition') as Schema;

  test('keeps of every recorded definition all but the fields that came later', () => {
    expect(definitions.length).toBeGreaterThan(50);
    for (const [name, body] of definitions) {
      const definition = cloneJson(body);
      if (pruneFields(definition, newest).error !== undefined) continue;
      const expected = without(definition, minorOf(release));
      dropLater(definition, schema);
      expect(definition, name).toEqual(expected);
    }
  });

  test('keeps the members of each form that a field may have', () => {
    const forms = [
      { items: { type: 'string' } },
      { items: [{ type: 'string' }, { enum: [null, { a: null }] }] },
      { additionalProperties: true },
      { additionalProperties: { type: 'string' }, additionalItems: false },
      { dependencies: { a: ['b'], c: { type: 'object' } } },
      { default: { a: null, items: [{ b: null }] }, example: [null], enum: [1, null] },
    ];
    for (const form of forms) {
      const definition = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: form } }] } };
      const expected = cloneJson(definition);
      dropLater(definition, schema);
      expect(definition).toEqual(expected);
    }
  });
});
