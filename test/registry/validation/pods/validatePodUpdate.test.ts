import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import { applyPodDefaults } from '../../../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { validatePodStatusUpdate } from '../../../../lambdas/registry/validation/pods/validatePodStatus.ts';
import { validatePodUpdate } from '../../../../lambdas/registry/validation/pods/validatePodUpdate.ts';

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
describe('validatePodUpdate', () => {
  it.each<[string, Changes, Changes, string[]]>([
    ['no change is allowed', {}, {}, []],
    ['the image can change', {}, { containers: [{ name: 'web', image: 'nginx:2' }] }, []],
    ['the name of a container cannot change', {}, { containers: [{ name: 'api', image: 'nginx:1' }] }, [OTHER]],
    [
      'the number of containers cannot change',
      {},
      {
        containers: [
          { name: 'web', image: 'nginx:1' },
          { name: 'b', image: 'b' },
        ],
      },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    ['the node cannot change', {}, { nodeName: 'node-1' }, [OTHER]],
    ['a deadline can be set', {}, { activeDeadlineSeconds: 5 }, []],
    ['a deadline can be made earlier', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }, []],
    [
      'a deadline cannot be made later',
      { activeDeadlineSeconds: 5 },
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
    ],
    ['a toleration can be added', {}, { tolerations: [toleration] }, []],
    [
      'the seconds of a toleration can change',
      { tolerations: [toleration] },
      { tolerations: [{ ...toleration, tolerationSeconds: 5 }] },
      [],
    ],
    [
      'a toleration cannot be removed',
      { tolerations: [toleration] },
      {},
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    ['a scheduling gate can be removed', gated, {}, []],
    [
      'a scheduling gate cannot be added',
      {},
      gated,
      ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'"],
    ],
    [
      'a negative grace period can be set to one',
      { terminationGracePeriodSeconds: -1 },
      { terminationGracePeriodSeconds: 1 },
      [],
    ],
    ['any other grace period cannot change', {}, { terminationGracePeriodSeconds: 1 }, [OTHER]],
    ['the node selector of a gated pod can grow', gated, { ...gated, nodeSelector: { a: 'b' } }, []],
    ['the node selector of a pod without gates cannot change', {}, { nodeSelector: { a: 'b' } }, [OTHER]],
    [
      'the node selector of a gated pod cannot shrink',
      { ...gated, nodeSelector: { a: 'b' } },
      { ...gated, nodeSelector: { a: 'c' } },
      [
        'spec.nodeSelector FieldValueInvalid only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
    ['a gated pod can get a node affinity', gated, { ...gated, ...affinityTo('a') }, []],
    [
      'the node affinity of a gated pod can become narrower',
      { ...gated, ...affinityTo('a') },
      { ...gated, ...affinityTo('a', 'b') },
      [],
    ],
    [
      'the node affinity of a gated pod cannot become wider',
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
describe('validatePodStatusUpdate', () => {
  const ended = (exitCode: number) => ({ containerStatuses: [{ name: 'web', state: { terminated: { exitCode } } }] });
  const running = { containerStatuses: [{ name: 'web', state: { running: {} } }] };
  it.each<[string, string, Changes, Changes, string[]]>([
    ['a container that always restarts can run again', 'Always', ended(0), running, []],
    ['a container that failed can run again with OnFailure', 'OnFailure', ended(1), running, []],
    [
      'a container that succeeded cannot run again with OnFailure',
      'OnFailure',
      ended(0),
      running,
      ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    ],
    ['addresses of both families are allowed', 'Always', {}, { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [
      'two addresses of one family are refused',
      'Always',
      {},
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      ['status.podIPs FieldValueInvalid may specify no more than one IP for each IP family'],
    ],
    [
      'the QoS class cannot change',
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
