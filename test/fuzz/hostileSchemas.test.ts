import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { RequestBudget } from '../../lambdas/objects/RequestBudget.ts';
import { compileSchema } from '../../lambdas/registry/apiextensions/CustomSchema.ts';
import { threadCpuMs } from './growth/threadCpuMs.ts';

/** A schema of `spec.items`, and the values that it is met with. */
interface HostileSchema {
  readonly name: string;
  readonly items: object;
  readonly values: readonly unknown[];
}

const many = <T>(count: number, itemOf: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => itemOf(index));
const TEXT = { type: 'string' };
const wide = many(20, (index) => ({ [`member${index}`]: 'a'.repeat(100) }));

/** The next finding is one line. */
const HOSTILE: readonly HostileSchema[] = [
  {
    name: 'many values that are in no long enum',
    items: { ...TEXT, enum: many(5_000, (i) => `a${i}`) },
    values: many(20_000, (i) => `b${i}`),
  },
  {
    name: 'many values that are in a long enum',
    items: { ...TEXT, enum: many(5_000, (i) => `a${i}`) },
    values: many(20_000, () => 'a4999'),
  },
  {
    name: 'an enum of objects',
    items: { type: 'object', enum: many(5_000, (i) => ({ a: i })), 'x-kubernetes-preserve-unknown-fields': true },
    values: many(10_000, () => ({ a: -1 })),
  },
  {
    name: 'a pattern that compiles to thousands of instructions',
    items: { ...TEXT, pattern: '^(.{0,1000})+x{500}$' },
    values: ['a'.repeat(300_000)],
  },
  {
    name: 'a pattern for many values',
    items: { ...TEXT, pattern: '^(.{0,1000})+x{500}$' },
    values: many(5_000, (i) => `a${i}`.repeat(10)),
  },
  {
    name: 'oneOf of many',
    items: { ...TEXT, oneOf: many(50, (i) => ({ pattern: `^x${i}$` })) },
    values: many(5_000, (i) => `b${i}`),
  },
  {
    name: 'anyOf of many',
    items: { ...TEXT, anyOf: many(50, (i) => ({ maxLength: i % 2 })) },
    values: many(5_000, (i) => `b${i}`),
  },
  {
    name: 'allOf of many',
    items: { ...TEXT, allOf: many(50, (i) => ({ maxLength: i % 2 })) },
    values: many(5_000, (i) => `b${i}`),
  },
  {
    name: 'defaults in each item',
    items: {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, default: wide },
      },
    },
    values: many(20_000, () => ({})),
  },
  {
    name: 'defaults within defaults',
    items: {
      type: 'object',
      properties: {
        a: {
          type: 'array',
          default: many(200, () => ({})),
          items: { type: 'object', properties: { b: { ...TEXT, default: 'b'.repeat(1_000) } } },
        },
      },
    },
    values: many(5_000, () => ({})),
  },
];

/** Milliseconds of CPU time. */
const MAX_MS = 1_500;
const MAX_MIB = 200;

describe('the work on a custom object has a bound', () => {
  it.each(HOSTILE)('with $name', ({ items, values }) => {
    const schema = compileSchema({
      type: 'object',
      properties: { spec: { type: 'object', properties: { items: { type: 'array', items } } } },
    });
    const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: { items: [...values] } };
    const beforeMib = process.resourceUsage().maxRSS / 1024;
    const began = threadCpuMs();
    try {
      const budget = new RequestBudget();
      schema.applyDefaults(object, budget);
      schema.validate(object as unknown as KubernetesObject, undefined, budget);
    } catch (error) {
      expect([error, (error as ApiError).reason]).toEqual([expect.any(ApiError), 'RequestEntityTooLarge']);
    }
    expect(threadCpuMs() - began).toBeLessThan(MAX_MS);
    expect(process.resourceUsage().maxRSS / 1024 - beforeMib).toBeLessThan(MAX_MIB);
  });
});
