import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { applyPodDefaults } from '../../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { validatePodStatusUpdate } from '../../../lambdas/registry/validation/validatePodStatus.ts';
import { validatePodUpdate } from '../../../lambdas/registry/validation/validatePodUpdate.ts';

type Changes = Readonly<Record<string, unknown>>;

function pod(spec: Changes, parts: Changes = {}): KubernetesObject {
  const draft = structuredClone({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }], ...spec },
    ...parts,
  }) as unknown as KubernetesObject;
  applyPodDefaults(draft);
  return draft;
}

const OTHER =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';
const gated = { schedulingGates: [{ name: 'a' }] };
const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
const affinityTo = (...values: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: values.map((value) => ({ key: value, operator: 'Exists' })) }],
      },
    },
  },
});

// Rows follow ValidatePodUpdate of pkg/apis/core/validation.
describe('what may change in a pod', () => {
  it.each<[string, Changes, Changes, string[]]>([
    ['nothing', {}, {}, []],
    ['an image', {}, { containers: [{ name: 'web', image: 'nginx:2' }] }, []],
    ['not a name', {}, { containers: [{ name: 'api', image: 'nginx:1' }] }, [OTHER]],
    [
      'not the number of containers',
      {},
      {
        containers: [
          { name: 'web', image: 'nginx:1' },
          { name: 'b', image: 'b' },
        ],
      },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    ['not the node', {}, { nodeName: 'node-1' }, [OTHER]],
    ['a deadline, for the first time', {}, { activeDeadlineSeconds: 5 }, []],
    ['a deadline, nearer', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }, []],
    [
      'not a deadline, further',
      { activeDeadlineSeconds: 5 },
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
    ],
    ['a toleration more', {}, { tolerations: [toleration] }, []],
    [
      'how long it is tolerated',
      { tolerations: [toleration] },
      { tolerations: [{ ...toleration, tolerationSeconds: 5 }] },
      [],
    ],
    [
      'not a toleration less',
      { tolerations: [toleration] },
      {},
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    ['a gate less', gated, {}, []],
    [
      'not a gate more',
      {},
      gated,
      ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'"],
    ],
    [
      'a grace period below zero, to one',
      { terminationGracePeriodSeconds: -1 },
      { terminationGracePeriodSeconds: 1 },
      [],
    ],
    ['no other grace period', {}, { terminationGracePeriodSeconds: 1 }, [OTHER]],
    ['the node selector of a pod that waits, by more', gated, { ...gated, nodeSelector: { a: 'b' } }, []],
    ['not that of one that does not wait', {}, { nodeSelector: { a: 'b' } }, [OTHER]],
    [
      'not by less',
      { ...gated, nodeSelector: { a: 'b' } },
      { ...gated, nodeSelector: { a: 'c' } },
      [
        'spec.nodeSelector FieldValueInvalid only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
    ['the node affinity of a pod that waits, for the first time', gated, { ...gated, ...affinityTo('a') }, []],
    ['the same, narrower', { ...gated, ...affinityTo('a') }, { ...gated, ...affinityTo('a', 'b') }, []],
    [
      'not wider',
      { ...gated, ...affinityTo('a', 'b') },
      { ...gated, ...affinityTo('a') },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0] FieldValueInvalid only additions are allowed (no mutations or deletions)',
      ],
    ],
  ])('%s', (_, old, changed, expected) => {
    const errors = validatePodUpdate(pod(changed), pod(old));
    const shown = errors.map((error, index) =>
      expected[index]?.includes(' FieldValue')
        ? `${error.field} ${error.type} ${error.detail}`
        : fieldErrorMessage(error),
    );
    expect(shown).toEqual(expected);
  });
});

// Rows follow ValidatePodStatusUpdate.
describe('what may change in a pod’s status', () => {
  const ended = (exitCode: number) => ({ containerStatuses: [{ name: 'web', state: { terminated: { exitCode } } }] });
  const running = { containerStatuses: [{ name: 'web', state: { running: {} } }] };
  it.each<[string, string, Changes, Changes, string[]]>([
    ['a container that always restarts', 'Always', ended(0), running, []],
    ['one that failed and may restart', 'OnFailure', ended(1), running, []],
    [
      'not one that has done its work',
      'OnFailure',
      ended(0),
      running,
      ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    ],
    ['addresses of both families', 'Always', {}, { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [
      'not two of one',
      'Always',
      {},
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      ['status.podIPs FieldValueInvalid may specify no more than one IP for each IP family'],
    ],
    [
      'not the quality of service',
      'Always',
      { qosClass: 'BestEffort' },
      { qosClass: 'Burstable' },
      ['status.qosClass: Invalid value: "Burstable": field is immutable'],
    ],
  ])('%s', (_, restartPolicy, oldStatus, status, expected) => {
    const errors = validatePodStatusUpdate(
      pod({ restartPolicy }, { status }),
      pod({ restartPolicy }, { status: oldStatus }),
    );
    const shown = errors.map((error, index) =>
      expected[index]?.includes(' FieldValue')
        ? `${error.field} ${error.type} ${error.detail}`
        : fieldErrorMessage(error),
    );
    expect(shown).toEqual(expected);
  });
});
