import { describe, expect, test } from 'vitest';
import { flowSchemas } from '../../../lambdas/registry/resources/flowSchemas.ts';
import { priorityLevelConfigurations } from '../../../lambdas/registry/resources/priorityLevelConfigurations.ts';
import { createErrors, objectOf, rowOf } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const priorityLevelConfiguration = { name: 'workload-low' };
const resourceRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true };
const subjects = [{ kind: 'User', user: { name: 'alice' } }];
const flow = (spec: Members = {}): Members => ({
  spec: { priorityLevelConfiguration, rules: [{ subjects, resourceRules: [resourceRule] }], ...spec },
});

// The rows follow pkg/apis/flowcontrol/validation.
describe('a FlowSchema', () => {
  test.each<[string, Members, string[]]>([
    ['with the defaults (valid)', flow(), []],
    [
      'without a level',
      flow({ priorityLevelConfiguration: {} }),
      ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
    ],
    [
      'that comes first',
      flow({ matchingPrecedence: 1 }),
      [`spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1`],
    ],
    [
      'that comes too late',
      flow({ matchingPrecedence: 10_001 }),
      ['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'],
    ],
    [
      'with an unknown method',
      flow({ distinguisherMethod: { type: 'ByMood' } }),
      ['spec.distinguisherMethod.type: Unsupported value: "ByMood": supported values: "ByNamespace", "ByUser"'],
    ],
    [
      'with an empty rule',
      flow({ rules: [{}] }),
      [
        'spec.rules[0].subjects: Required value: subjects must contain at least one value',
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
    ],
    [
      'with a subject without its name',
      flow({ rules: [{ subjects: [{ kind: 'Group' }, { kind: 'Robot' }], resourceRules: [resourceRule] }] }),
      [
        `spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'`,
        'spec.rules[0].subjects[1].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"',
      ],
    ],
    [
      'with a rule about nothing',
      flow({ rules: [{ subjects, resourceRules: [{ ...resourceRule, clusterScope: false }] }] }),
      [
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(flowSchemas, members)).toEqual(messages);
  });

  test('is printed', () => {
    expect(rowOf(flowSchemas, flow())).toEqual({
      Name: 'x',
      PriorityLevel: 'workload-low',
      MatchingPrecedence: 1000,
      DistinguisherMethod: '<none>',
      Age: '60s',
      MissingPL: '?',
    });
  });
});

describe('a PriorityLevelConfiguration', () => {
  const queue = (queuing: Members = {}): Members => ({
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } },
  });

  test('gets the defaults of its type', () => {
    expect(objectOf(priorityLevelConfigurations, queue())['spec']).toEqual({
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { handSize: 8, queues: 64, queueLengthLimit: 50 } },
      },
    });
    expect(objectOf(priorityLevelConfigurations, { spec: { type: 'Exempt' } })['spec']).toEqual({
      type: 'Exempt',
      exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 },
    });
  });

  test.each<[string, Members, string[]]>([
    ['with queues (valid)', queue(), []],
    [
      'of an unknown type',
      { spec: { type: 'Odd' } },
      ['spec.type: Unsupported value: "Odd": supported values: "Exempt", "Limited"'],
    ],
    [
      'with hands larger than its queues',
      queue({ handSize: 9, queues: 4, queueLengthLimit: 0 }),
      [
        'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: 0: must be positive',
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 9: should not be greater than queues (4)',
      ],
    ],
    [
      'with queues that it does not use',
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } } },
      ['spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited'],
    ],
    [
      'that lends more than it has',
      { spec: { type: 'Limited', limited: { lendablePercent: 101, limitResponse: { type: 'Reject' } } } },
      ['spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive'],
    ],
    [
      'that is exempt and limited',
      { spec: { type: 'Exempt', limited: {} } },
      ['spec.limited: Forbidden: must be nil if the type is not Limited'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(priorityLevelConfigurations, members)).toEqual(messages);
  });

  test('is printed', () => {
    expect(rowOf(priorityLevelConfigurations, queue())).toMatchObject({
      Type: 'Limited',
      NominalConcurrencyShares: '30',
      Queues: '64',
      HandSize: '8',
    });
    expect(rowOf(priorityLevelConfigurations, { spec: { type: 'Exempt' } })).toMatchObject({
      NominalConcurrencyShares: '<none>',
      Queues: '<none>',
    });
  });
});
