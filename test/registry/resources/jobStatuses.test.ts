import { describe, expect, test } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { jobs } from '../../../lambdas/registry/resources/jobs.ts';
import { objectOf } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const SUSPENDED = { conditions: [{ type: 'Suspended', status: 'True' }] };
const STARTED = '2026-01-31T11:59:00Z';

/** The errors of a status after another one, of a Job with this spec. */
function statusErrors(spec: Members, status: Members, before: Members): string[] {
  const [object, stands] = [objectOf(jobs, { spec, status }), objectOf(jobs, { spec, status: before })];
  return (jobs.strategy.validateStatusUpdate?.(object, stands, new RequestBudget()) ?? []).map(fieldErrorMessage);
}

const conditions = (...types: string[]) => ({ conditions: types.map((type) => ({ type, status: 'True' })) });
const ENDED = '2026-01-31T12:00:00Z';
const times = { startTime: STARTED, completionTime: ENDED };
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2 };
const CONDITIONS = 'status.conditions: Invalid value: cannot';

// The rows follow TestStatusStrategy_ValidateUpdate of pkg/registry/batch/job.
describe('a changed status of a Job', () => {
  test.each<[string, Members, Members, Members, string[]]>([
    [
      'has no negative counts, and names each pod once',
      {},
      { active: -1, uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
      {},
      [
        'status.active: Invalid value: -1: must be greater than or equal to 0',
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    ],
    [
      'is not both complete and failed',
      {},
      { ...times, ...conditions('Complete', 'Failed') },
      {},
      [
        `${CONDITIONS} set Complete=True and Failed=true conditions`,
        `${CONDITIONS} set Failed=True condition without the FailureTarget=true condition`,
        `${CONDITIONS} set Complete=True condition without the SuccessCriteriaMet=true condition`,
      ],
    ],
    [
      'is complete with a time',
      {},
      { startTime: STARTED, ...conditions('SuccessCriteriaMet', 'Complete') },
      { startTime: STARTED, ...conditions('SuccessCriteriaMet') },
      ['status.completionTime: Required value: completionTime is required for Complete jobs'],
    ],
    [
      'has no such time before',
      {},
      { completionTime: ENDED },
      {},
      [
        `status.completionTime: Invalid value: "${ENDED}": cannot set completionTime when there is no Complete=True condition`,
      ],
    ],
    [
      'does not end before it starts',
      {},
      { startTime: ENDED, completionTime: STARTED, ...conditions('SuccessCriteriaMet', 'Complete') },
      { startTime: ENDED, ...conditions('SuccessCriteriaMet') },
      [`status.completionTime: Invalid value: "${STARTED}": must be equal to or after \`startTime\``],
    ],
    [
      'keeps its completion time',
      {},
      { startTime: STARTED, completionTime: STARTED, ...conditions('SuccessCriteriaMet', 'Complete') },
      { ...times, ...conditions('SuccessCriteriaMet', 'Complete') },
      [`status.completionTime: Invalid value: "${STARTED}": field is immutable`],
    ],
    [
      'of an end without a start, with pods that still run and are not counted',
      {},
      {
        active: 1,
        terminating: 2,
        uncountedTerminatedPods: { failed: ['a'] },
        ...conditions('FailureTarget', 'Failed'),
      },
      { active: 1, terminating: 2, uncountedTerminatedPods: { failed: ['a'] }, ...conditions('FailureTarget') },
      [
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: must be empty for finished job',
        'status.terminating: Invalid value: 2: terminating>0 is invalid for finished job',
      ],
    ],
    [
      'of a suspended Job without completions needs no start',
      { suspend: true, completions: 0 },
      { completionTime: ENDED, ...conditions('SuccessCriteriaMet', 'Complete') },
      {},
      [],
    ],
    [
      'may break a rule if it broke it before',
      {},
      { ...times, succeeded: 1, uncountedTerminatedPods: { failed: ['a'] }, ...conditions('Complete') },
      { ...times, uncountedTerminatedPods: { failed: ['a'] }, ...conditions('Complete') },
      [],
    ],
    [
      'has indexes only if the Job has',
      { completions: 5 },
      { completedIndexes: '0', failedIndexes: '1' },
      {},
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    ],
    [
      'has indexes that can be read, each in one of the lists',
      { ...indexed, backoffLimitPerIndex: 1 },
      { completedIndexes: '0-2,9', failedIndexes: '2-3' },
      {},
      [
        'status.completedIndexes: Invalid value: "0-2,9": error parsing completedIndexes: too large index: "9"',
        'status.failedIndexes: Invalid value: "2-3": failedIndexes and completedIndexes overlap at index: 2',
      ],
    ],
    [
      'has lists of indexes apart from each other',
      { ...indexed, backoffLimitPerIndex: 1 },
      { completedIndexes: '0,4', failedIndexes: '1-2' },
      {},
      [],
    ],
    [
      'has no more ready pods than active ones',
      {},
      { active: 1, ready: 2 },
      {},
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
    ],
    [
      'does not take an end back',
      {},
      { startTime: STARTED },
      { startTime: STARTED, ...conditions('Failed', 'FailureTarget') },
      [
        `${CONDITIONS} disable the terminal Failed=True condition`,
        `${CONDITIONS} disable the terminal FailureTarget=True condition`,
      ],
    ],
    [
      'does not take a success back',
      {},
      {},
      conditions('SuccessCriteriaMet'),
      [`${CONDITIONS} disable the SuccessCriteriaMet=True condition`],
    ],
    [
      'does not both succeed and fail',
      {},
      conditions('SuccessCriteriaMet', 'FailureTarget'),
      conditions('SuccessCriteriaMet'),
      [`${CONDITIONS} set SuccessCriteriaMet=True and FailureTarget=true conditions`],
    ],
    [
      'of a Job with a policy is complete only by success',
      { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
      { ...times, ...conditions('Complete') },
      {},
      [
        `${CONDITIONS} set Complete=True condition without the SuccessCriteriaMet=true condition`,
        `${CONDITIONS} set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True`,
      ],
    ],
    [
      'of a complete Job does not explain its success afterwards',
      {},
      { ...times, ...conditions('Complete', 'SuccessCriteriaMet') },
      { ...times, ...conditions('Complete') },
      [`${CONDITIONS} set SuccessCriteriaMet=True for Job already has Complete=true conditions`],
    ],
    [
      'does not count fewer pods',
      {},
      { succeeded: 1, failed: 1 },
      { succeeded: 2, failed: 2 },
      [
        'status.failed: Invalid value: 1: cannot decrease the failed counter',
        'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
      ],
    ],
    [
      'of a Job that is scaled down counts fewer',
      { ...indexed, completions: 2 },
      { succeeded: 1 },
      { succeeded: 2 },
      [],
    ],
    [
      'keeps the start of a Job that runs',
      {},
      {},
      { startTime: STARTED },
      ['status.startTime: Required value: startTime cannot be removed for unsuspended job'],
    ],
    ['loses the start of a suspended Job', { suspend: true }, {}, { startTime: STARTED }, []],
    [
      'gets another start when the Job goes on',
      {},
      { startTime: ENDED, conditions: [{ type: 'Suspended', status: 'False' }] },
      { startTime: STARTED, ...SUSPENDED },
      [],
    ],
  ])('%s', (_, spec, status, before, messages) => {
    expect(statusErrors(spec, status, before)).toEqual(messages);
  });
});
