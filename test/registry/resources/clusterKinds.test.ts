import { describe, expect, test } from 'vitest';
import { componentStatuses } from '../../../lambdas/registry/resources/componentStatuses.ts';
import { podTemplates } from '../../../lambdas/registry/resources/podTemplates.ts';
import { priorityClasses, SYSTEM_PRIORITY_CLASSES } from '../../../lambdas/registry/resources/priorityClasses.ts';
import { runtimeClasses } from '../../../lambdas/registry/resources/runtimeClasses.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

describe('a PriorityClass', () => {
  const RESERVED =
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ";

  test.each<[string, string, Record<string, unknown>, string[]]>([
    ['with a value (valid)', 'high', { value: 1_000_000 }, []],
    [
      'above those of users',
      'high',
      { value: 1_000_000_001 },
      ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ],
    [
      'that the system does not know',
      'system-mine',
      { value: 1 },
      [`${RESERVED}system-mine is not a known system priority class`],
    ],
    [
      'of the system with another value',
      'system-node-critical',
      { value: 1 },
      [`${RESERVED}value of system-node-critical PriorityClass must be 2000001000`],
    ],
    [
      'with an unknown policy',
      'high',
      { value: 1, preemptionPolicy: 'Always' },
      ['preemptionPolicy: Unsupported value: "Always": supported values: "Never", "PreemptLowerPriority"'],
    ],
  ])('%s', (_, name, members, messages) => {
    expect(createErrors(priorityClasses, members, { name })).toEqual(messages);
  });

  test.each(SYSTEM_PRIORITY_CLASSES)('$metadata.name is valid', ({ metadata, ...members }) => {
    expect(createErrors(priorityClasses, members, metadata)).toEqual([]);
  });

  test('keeps its value and its policy', () => {
    expect(updateErrors(priorityClasses, { value: 2, preemptionPolicy: 'Never' }, { value: 1 })).toEqual([
      'value: Forbidden: may not be changed in an update.',
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]);
  });

  test('is printed', () => {
    expect(rowOf(priorityClasses, { value: 7 })).toEqual({
      Name: 'x',
      Value: 7,
      'Global-Default': false,
      Age: '60s',
      PreemptionPolicy: 'PreemptLowerPriority',
    });
  });
});

test('a RuntimeClass names a handler for ever', () => {
  expect(createErrors(runtimeClasses, { handler: 'gvisor', overhead: { podFixed: { cpu: '100m' } } })).toEqual([]);
  expect(createErrors(runtimeClasses, { handler: 'gvisor', overhead: { podFixed: { cpu: '-1' } } })).toEqual([
    'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  expect(createErrors(runtimeClasses, { handler: 'a.b' })).toEqual([
    'handler: Invalid value: "a.b": must not contain dots',
  ]);
  expect(updateErrors(runtimeClasses, { handler: 'b' }, { handler: 'a' })).toEqual([
    'handler: Invalid value: "b": field is immutable',
  ]);
  expect(rowOf(runtimeClasses, { handler: 'gvisor' })).toEqual({ Name: 'x', Handler: 'gvisor', Age: '60s' });
});

test('a PodTemplate has the defaults and the errors of a template', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  expect(objectOf(podTemplates, { template })['template']).toMatchObject({ spec: { restartPolicy: 'Always' } });
  expect(createErrors(podTemplates, {})).toEqual(['template.spec.containers: Required value']);
  expect(rowOf(podTemplates, { template })).toEqual({
    Name: 'x',
    Containers: 'web',
    Images: 'nginx:1',
    'Pod Labels': 'app=web',
  });
});

test('a ComponentStatus is printed', () => {
  const conditions = [{ type: 'Healthy', status: 'True', message: 'ok' }];
  expect(rowOf(componentStatuses, { conditions })).toEqual({ Name: 'x', Status: 'Healthy', Message: 'ok', Error: '' });
});
