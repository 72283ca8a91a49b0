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
      [
        'spec.distinguisherMethod.type: Unsupported value: {"type":"ByMood"}: supported values: "ByNamespace", "ByUser"',
      ],
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
    [
      'with fields of other subjects',
      flow({
        rules: [
          {
            subjects: [
              { kind: 'ServiceAccount', serviceAccount: { name: '*' }, user: { name: 'ann' }, group: { name: 'dev' } },
              { kind: 'User', user: {} },
            ],
            resourceRules: [resourceRule],
          },
        ],
      }),
      [
        'spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
        `spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'`,
        `spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'`,
        'spec.rules[0].subjects[1].user.name: Required value',
      ],
    ],
    [
      'with stars beside others, and an unknown verb',
      flow({
        rules: [
          {
            subjects,
            resourceRules: [
              { verbs: ['*', 'get'], apiGroups: ['*', ''], resources: ['*', 'pods'], namespaces: ['*', 'a'] },
              { ...resourceRule, verbs: ['look'], namespaces: ['A'] },
            ],
          },
        ],
      }),
      [
        `spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
        `spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*",""]: if '*' is present, must not specify other api groups`,
        `spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources`,
        `spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*","a"]: if '*' is present, must not specify other namespaces`,
        'spec.rules[0].resourceRules[1].verbs: Unsupported value: ["look"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        `spec.rules[0].resourceRules[1].namespaces[0]: Invalid value: "A": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'with invalid paths',
      flow({
        rules: [
          {
            subjects,
            nonResourceRules: [
              { verbs: ['*'], nonResourceURLs: ['', '/', 'x', '/a b', '/a//b', '/a*', '/*/b/*', '/a/*', '/healthz'] },
            ],
          },
        ],
      }),
      [
        ['0', '', 'must not be empty'],
        ['2', 'x', 'must start with slash'],
        ['3', '/a b', 'must not contain white-space'],
        ['4', '/a//b', 'must not contain double slash'],
        ['5', '/a*', 'wildcard can only do suffix matching'],
        ['6', '/*/b/*', 'wildcard can only do suffix matching'],
      ].map(
        ([index, url, why]) =>
          `spec.rules[0].nonResourceRules[0].nonResourceURLs[${index}]: Invalid value: "${url}": ${why}`,
      ),
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

describe('a FlowSchema that each server has', () => {
  const star = ['*'];
  const everything = (groups: string[]) => [
    {
      subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
      resourceRules: [{ verbs: star, apiGroups: star, resources: star, clusterScope: true, namespaces: star }],
      nonResourceRules: [{ verbs: star, nonResourceURLs: star }],
    },
  ];
  const specs = {
    exempt: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: everything(['system:masters']),
    },
    'catch-all': {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: everything(['system:unauthenticated', 'system:authenticated']),
    },
  };

  test.each(Object.entries(specs))('has a fixed spec: %s', (name, spec) => {
    expect(createErrors(flowSchemas, { spec }, { name })).toEqual([]);
    const other = { ...spec, matchingPrecedence: 2 };
    expect(createErrors(flowSchemas, { spec: other }, { name })).toEqual([
      `spec: Invalid value: ${JSON.stringify(other)}: spec of '${name}' must equal the fixed value`,
    ]);
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
      'with fewer than no shares, and less than nothing to borrow',
      {
        spec: {
          type: 'Limited',
          limited: { nominalConcurrencyShares: -1, borrowingLimitPercent: -1, limitResponse: { type: 'Odd' } },
        },
      },
      [
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.limited.limitResponse.type: Unsupported value: "Odd": supported values: "Queue", "Reject"',
        'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
      ],
    ],
    [
      'without shares (valid)',
      { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
      [],
    ],
    [
      'that is exempt and limited',
      { spec: { type: 'Exempt', limited: {} } },
      [
        `spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if \`name\` is 'exempt'`,
        'spec.limited: Forbidden: must be nil if the type is not Limited',
      ],
    ],
    [
      'whose hands need more bits than a hash has',
      queue({ handSize: 20, queues: 64 }),
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 20: required entropy bits of deckSize 64 and handSize 20 should not be greater than 60',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(priorityLevelConfigurations, members)).toEqual(messages);
  });

  const catchAll = { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } };
  test.each<[string, Members, string[]]>([
    ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 10, lendablePercent: 10 } }, []],
    [
      'exempt',
      { type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } },
      [
        'spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      ],
    ],
    [
      'exempt',
      { type: 'Limited', limited: catchAll },
      [
        `spec.type: Invalid value: "Limited": must be 'Exempt' if and only if \`name\` is 'exempt'`,
        `spec: Invalid value: ${JSON.stringify({ type: 'Limited', limited: catchAll })}: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value`,
      ],
    ],
    ['catch-all', { type: 'Limited', limited: catchAll }, []],
    [
      'catch-all',
      { type: 'Limited', limited: { ...catchAll, nominalConcurrencyShares: 6 } },
      [
        `spec: Invalid value: ${JSON.stringify({ type: 'Limited', limited: { ...catchAll, nominalConcurrencyShares: 6 } })}: spec of 'catch-all' must equal the fixed value`,
      ],
    ],
  ])('named %s has a spec that is fixed: %j', (name, spec, messages) => {
    expect(createErrors(priorityLevelConfigurations, { spec }, { name })).toEqual(messages);
  });

  test('has no annotation of the server', () => {
    const annotations = { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' };
    expect(createErrors(priorityLevelConfigurations, queue(), { annotations })).toEqual([
      "metadata.annotations: Forbidden: annotation 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares' is forbidden",
    ]);
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
