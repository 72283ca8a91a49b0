import { describe, expect, it } from 'vitest';
import { errorsOf, SUBDOMAIN, testErrors } from '../../../support/podErrors.ts';

testErrors({
  ValidatePodSpec: [
    [
      'an unknown restart policy',
      { restartPolicy: 'Maybe' },
      ['spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'an unknown DNS policy',
      { dnsPolicy: 'Any' },
      [
        'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      ],
    ],
    [
      'no DNS configuration with the policy None',
      { dnsPolicy: 'None' },
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'a deadline of zero',
      { activeDeadlineSeconds: 0 },
      ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    ['a dotted host name', { hostname: 'a.b' }, ['spec.hostname: Invalid value: "a.b": must not contain dots']],
    [
      'a service account in capitals',
      { serviceAccountName: 'Web' },
      [`spec.serviceAccountName: Invalid value: "Web": ${SUBDOMAIN}`],
    ],
    [
      'a host alias with an invalid address',
      { hostAliases: [{ ip: 'home', hostnames: ['web'] }] },
      ['spec.hostAliases[0].ip: Invalid value: "home": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'ephemeral containers on create',
      { ephemeralContainers: [{ name: 'debug', image: 'x' }] },
      ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    ],
    [
      'a node before the scheduling gates are removed',
      { nodeName: 'node-1', schedulingGates: [{ name: 'wait' }] },
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    [
      'a Linux field in a Windows pod',
      { os: { name: 'windows' }, securityContext: { runAsUser: 1 } },
      ['spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod'],
    ],
    [
      'an unknown operating system',
      { os: { name: 'beos' } },
      ['spec.os: Unsupported value: "beos": supported values: "linux", "windows"'],
    ],
  ],
  ValidateTolerations: [
    ['tolerating everything (valid)', { tolerations: [{ operator: 'Exists' }] }, []],
    [
      'an empty toleration',
      { tolerations: [{ value: 'a' }] },
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'toleration seconds without the effect NoExecute',
      { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }] },
      ['spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set'],
    ],
  ],
  validateAffinity: [
    [
      'no node selector terms',
      { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      'a weight too heavy',
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, podAffinityTerm: { topologyKey: 'zone' } },
            ],
          },
        },
      },
      [
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      ],
    ],
  ],
  validateTopologySpreadConstraints: [
    [
      'neither skew nor action',
      { topologySpreadConstraints: [{ topologyKey: 'zone' }] },
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'the same constraint twice',
      {
        topologySpreadConstraints: [1, 2].map((maxSkew) => ({
          maxSkew,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      },
      ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'],
    ],
  ],
});

describe('ValidatePodSpecificAnnotations:', () => {
  it.each<[string, readonly string[]]>([
    ['-5', []],
    ['0', []],
    ['+5', ['must be a 32bit integer']],
    ['05', ['must be a 32bit integer']],
    ['cheap', ['must be a 32bit integer']],
    ['2147483648', ['must be a 32bit integer']],
  ])('gives the errors of Kubernetes for a deletion cost of %j', (cost, expected) => {
    const key = 'controller.kubernetes.io/pod-deletion-cost';
    expect(errorsOf({}, { annotations: { [key]: cost } })).toEqual(
      expected.map((detail) => `metadata.annotations[${key}]: Invalid value: "${cost}": ${detail}`),
    );
  });
});
