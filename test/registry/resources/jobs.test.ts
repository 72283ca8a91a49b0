import { describe, expect, test } from 'vitest';
import { jobs } from '../../../lambdas/registry/resources/jobs.ts';
import { createErrors, objectOf, rowOf } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5' }] };
const template = { spec: podSpec };
const job = (spec: Members = {}): Members => ({ spec: { template, ...spec } });
const uid = { 'batch.kubernetes.io/controller-uid': 'u1' };
const generated = { ...uid, 'controller-uid': 'u1', 'batch.kubernetes.io/job-name': 'x', 'job-name': 'x' };

describe('a Job', () => {
  test('gets the defaults of batch/v1', () => {
    expect(objectOf(jobs, job())['spec']).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    });
    expect(objectOf(jobs, job({ parallelism: 3 }))['spec']).not.toHaveProperty('completions');
    expect(objectOf(jobs, job({ completions: 3 }))['spec']).toMatchObject({ completions: 3, parallelism: 1 });
    expect(
      objectOf(jobs, job({ podFailurePolicy: { rules: [{ onPodConditions: [{ type: 'A' }] }] } }))['spec'],
    ).toMatchObject({
      podReplacementPolicy: 'Failed',
      podFailurePolicy: { rules: [{ onPodConditions: [{ status: 'True' }] }] },
    });
  });

  test('selects its pods by its UID, and has the labels of its template', () => {
    const draft = objectOf(jobs, job());
    jobs.strategy.prepareForCreate?.(draft);
    expect(draft.metadata.labels).toEqual(generated);
    expect(draft['spec']).toMatchObject({
      selector: { matchLabels: uid },
      template: { metadata: { labels: generated } },
    });
  });

  test('keeps the labels of its own', () => {
    const draft = objectOf(jobs, job(), { labels: { app: 'pi' } });
    jobs.strategy.prepareForCreate?.(draft);
    expect(draft.metadata.labels).toEqual({ app: 'pi' });
  });

  // The rows follow pkg/apis/batch/validation.
  test.each<[string, Members, string[]]>([
    ['with the defaults (valid)', job(), []],
    [
      'with negative numbers',
      job({ parallelism: -1, backoffLimit: -2 }),
      [
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.backoffLimit: Invalid value: -2: must be greater than or equal to 0',
      ],
    ],
    [
      'whose pods would run for ever',
      job({ template: { spec: { containers: podSpec.containers } } }),
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'with indexes but no completions',
      job({ completionMode: 'Indexed', parallelism: 2 }),
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'with limits per index but no indexes',
      job({ backoffLimitPerIndex: 1 }),
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'with an unknown mode',
      job({ completionMode: 'Odd' }),
      ['spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'with a selector that was not generated',
      job({
        selector: { matchLabels: { app: 'pi', ...uid } },
        template: { metadata: { labels: { app: 'pi' } }, spec: podSpec },
      }),
      [
        'spec.selector: Invalid value: {"matchLabels":{"app":"pi","batch.kubernetes.io/controller-uid":"u1"}}: `selector` not auto-generated',
      ],
    ],
    [
      'with a manual selector that selects other pods',
      job({ manualSelector: true, selector: { matchLabels: { app: 'pi' } } }),
      ['spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`'],
    ],
    [
      'with a manual selector that is missing',
      job({ manualSelector: true }),
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
      ],
    ],
    [
      'with labels that the server generates, and others say',
      job({ template: { metadata: { labels: { 'job-name': 'y' } }, spec: podSpec } }),
      [
        `spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify({ ...generated, 'job-name': 'y' }, Object.keys(generated).sort())}: must be 'x'`,
      ],
    ],
    [
      'with a rule for failures that matches nothing',
      job({ podFailurePolicy: { rules: [{ action: 'Ignore' }] } }),
      ['spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required'],
    ],
    [
      'without exit codes',
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In' } }] } }),
      ['spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one value is required'],
    ],
    [
      'with exit codes that cannot be',
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0, 1, 1] } }] } }),
      [
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 1',
      ],
    ],
    [
      'with a rule for failures that says too little',
      job({
        podFailurePolicy: {
          rules: [
            { onExitCodes: { containerName: 'other', values: [2, 1] } },
            { action: 'FailIndex', onPodConditions: [{ type: 'A', status: 'Odd' }] },
          ],
        },
      }),
      [
        'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "other": must be one of the container or initContainer names in the pod template',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered',
        'spec.podFailurePolicy.rules[1].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[1].onPodConditions[0].status: Unsupported value: "Odd": supported values: "False", "True", "Unknown"',
      ],
    ],
    [
      'with more failed indexes than indexes',
      job({ completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 4 }),
      ['spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions'],
    ],
    [
      'with too many indexes at once',
      job({ completionMode: 'Indexed', completions: 100_001, backoffLimitPerIndex: 1, parallelism: 20_000 }),
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 20000: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
    ],
    [
      'that succeeds by rules that cannot be',
      job({
        completionMode: 'Indexed',
        completions: 5,
        successPolicy: {
          rules: [
            {},
            { succeededIndexes: '0,2-3', succeededCount: 4 },
            { succeededCount: 6 },
            { succeededIndexes: '1-2-3' },
            { succeededIndexes: 'x' },
            { succeededIndexes: '3-1' },
            { succeededIndexes: '1,5' },
            { succeededIndexes: '2,1' },
          ],
        },
      }),
      [
        'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
        'spec.successPolicy.rules[1].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)',
        'spec.successPolicy.rules[2].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)',
        ...[
          [
            '3',
            '1-2-3',
            `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
          ],
          ['4', 'x', 'cannot convert string to integer for index: "x"'],
          ['5', '3-1', 'non-increasing order, previous: 3, current: 1'],
          ['6', '1,5', 'too large index: "5"'],
          ['7', '2,1', 'non-increasing order, previous: 2, current: 1'],
        ].map(
          ([index, given, why]) =>
            `spec.successPolicy.rules[${index}].succeededIndexes: Invalid value: "${given}": error parsing succeededIndexes: ${why}`,
        ),
      ],
    ],
    [
      'that succeeds by no rules',
      job({ completionMode: 'Indexed', completions: 5, successPolicy: {} }),
      [
        'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(jobs, members)).toEqual(messages);
  });

  test('with indexes has a name of which host names can be made', () => {
    const name = 'a'.repeat(62);
    const members = job({ completionMode: 'Indexed', completions: 10 });
    expect(createErrors(jobs, members, { name })).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-9`,
    ]);
  });

  test.each<[Members, Members]>([
    [
      { status: { succeeded: 1, startTime: '2026-01-31T11:59:00Z' } },
      { Status: 'Running', Completions: '1/1', Duration: '60s' },
    ],
    [
      {
        spec: { template, completions: 3 },
        status: {
          startTime: '2026-01-31T11:59:00Z',
          completionTime: '2026-01-31T11:59:10Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      {
        Status: 'Complete',
        Completions: '0/3',
        Duration: '10s',
        Containers: 'pi',
        Images: 'perl:5',
        Selector: '<none>',
      },
    ],
    [{ spec: { template, parallelism: 4 } }, { Completions: '0/1 of 4', Duration: '' }],
    [{ status: { conditions: [{ type: 'Suspended', status: 'True' }] } }, { Status: 'Suspended' }],
  ])('is printed', (members, row) => {
    expect(rowOf(jobs, { ...job(), ...members })).toMatchObject(row);
  });
});
