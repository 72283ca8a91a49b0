import { describe, expect, test } from 'vitest';
import { type JudgedObject, progressOf } from '../../../../infra/testCluster/runners/progressOf.ts';

const condition = (type: string, status: string, reason?: string) => ({ type, status, ...(reason && { reason }) });
const deployment = (status: object, generation = 1): JudgedObject => ({
  kind: 'Deployment',
  metadata: { generation },
  spec: { replicas: 3 },
  status: { observedGeneration: 1, ...status },
});
const AVAILABLE = { conditions: [condition('Available', 'True')] };

const TABLE: readonly (readonly [
  what: string,
  object: JudgedObject,
  phase: string,
  isAvailable: boolean,
  why: string,
])[] = [
  [
    'a Deployment whose replicas are all new and available',
    deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3, ...AVAILABLE }),
    'complete',
    true,
    '3 of 3 replicas are available',
  ],
  [
    'a Deployment that is available while it rolls',
    deployment({ replicas: 4, updatedReplicas: 1, availableReplicas: 3, ...AVAILABLE }),
    'progressing',
    true,
    '1 of 3 replicas are updated, and 3 are available',
  ],
  [
    'a Deployment with old replicas',
    deployment({ replicas: 4, updatedReplicas: 3, availableReplicas: 3, ...AVAILABLE }),
    'progressing',
    true,
    '1 old replicas are still there',
  ],
  [
    'a Deployment whose new template was not seen yet',
    deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3, ...AVAILABLE }, 2),
    'progressing',
    false,
    'its controller has not seen generation 2 yet',
  ],
  [
    'a Deployment past its deadline',
    deployment({
      replicas: 4,
      updatedReplicas: 1,
      availableReplicas: 3,
      conditions: [condition('Available', 'True'), condition('Progressing', 'False', 'ProgressDeadlineExceeded')],
    }),
    'failed',
    true,
    '1 of 3 replicas are updated, and 3 are available; Progressing is False (ProgressDeadlineExceeded)',
  ],
  [
    'a StatefulSet without a status',
    { kind: 'StatefulSet', spec: { replicas: 2 } },
    'progressing',
    false,
    '0 of 2 replicas are updated, and 0 are available',
  ],
  [
    'a StatefulSet that a partition holds back',
    {
      kind: 'StatefulSet',
      spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
      status: { updatedReplicas: 1, availableReplicas: 2 },
    },
    'complete',
    true,
    '2 of 2 replicas are available',
  ],
  [
    'a DaemonSet',
    { kind: 'DaemonSet', status: { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 } },
    'progressing',
    false,
    '2 of 3 replicas are available',
  ],
  [
    'a ReplicaSet',
    { kind: 'ReplicaSet', spec: { replicas: 1 }, status: { availableReplicas: 1 } },
    'complete',
    true,
    '1 of 1 replicas are available',
  ],
  ['a Job that runs', { kind: 'Job', status: { active: 1 } }, 'progressing', false, 'it has no condition Complete yet'],
  [
    'a Job that has failed',
    { kind: 'Job', status: { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] } },
    'failed',
    false,
    'Failed is True (BackoffLimitExceeded)',
  ],
  [
    'a pod that waits for its image',
    {
      kind: 'Pod',
      status: {
        phase: 'Pending',
        containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ErrImagePull' } } }],
      },
    },
    'progressing',
    false,
    'container web waits: ErrImagePull',
  ],
  [
    'a pod that is ready',
    { kind: 'Pod', status: { phase: 'Running', conditions: [condition('Ready', 'True')] } },
    'complete',
    true,
    'Ready is True',
  ],
  [
    'a pod that has succeeded',
    { kind: 'Pod', status: { phase: 'Succeeded' } },
    'complete',
    false,
    'it has ended with success',
  ],
  [
    'a custom resource',
    { kind: 'Widget', status: { conditions: [condition('Ready', 'False', 'Creating')] } },
    'progressing',
    false,
    'Ready is False (Creating)',
  ],
  [
    'a definition',
    { kind: 'CustomResourceDefinition', status: { conditions: [condition('Established', 'True')] } },
    'complete',
    true,
    'Established is True',
  ],
];

describe('how far an object is', () => {
  test.each(TABLE)('%s', (_, object, phase, isAvailable, why) => {
    expect(progressOf(object)).toEqual({ phase, isAvailable, why });
  });
});
