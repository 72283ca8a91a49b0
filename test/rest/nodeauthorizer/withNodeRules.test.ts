import { beforeEach, describe, expect, it } from 'vitest';
import type { NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { withNodeRules } from '../../../lambdas/rest/nodeauthorizer/withNodeRules.ts';
import type { AccessAttributes } from '../../../lambdas/rest/rbac/AccessAttributes.ts';
import type { Authorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import { reviewAccess } from '../../../lambdas/rest/rbac/reviewAccess.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

/**
 * The node `worker` runs the pod `mine`, the node `other` the pod `theirs`. Each uses objects that are named after it. The pod `greedy` on `worker` uses a claim that asks for the volume `theirs-volume`, which is bound to
 * another claim.
 */

const NOBODY: Authorizer = {
  allows: async () => false,
  judge: async () => ({ isAllowed: false, reason: '' }),
  rulesFor: async () => [],
  rulesOf: async () => [],
};
const WORKER = { username: 'system:node:worker', groups: ['system:nodes', 'system:authenticated'] };
const MIRROR = { 'kubernetes.io/config.mirror': 'x' };

const bench = new ControllerBench();
const authorizer = withNodeRules(NOBODY, bench.registry);

const namespaced = (kind: string, name: string, more: object = {}): NewObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'default' },
  ...more,
});

function pod(name: string, nodeName: string, spec: object = {}, annotations: Record<string, string> = {}): NewObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', annotations },
    spec: { nodeName, containers: [{ name: 'main', image: 'nginx' }], ...spec },
  };
}

const usesOf = (name: string) => ({
  serviceAccountName: name,
  imagePullSecrets: [{ name: `${name}-images` }],
  volumes: [
    { name: 'a', secret: { secretName: `${name}-secret` } },
    { name: 'b', configMap: { name: `${name}-config` } },
    { name: 'c', persistentVolumeClaim: { claimName: `${name}-claim` } },
  ],
});

const claim = (name: string, volumeName: string) =>
  namespaced('PersistentVolumeClaim', name, {
    spec: { accessModes: ['ReadWriteOnce'], volumeName, resources: { requests: { storage: '1Gi' } } },
  });

let isReady = false;
beforeEach(async () => {
  if (isReady) return;
  isReady = true;
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  for (const name of ['mine', 'theirs']) {
    await bench.create('persistentvolumeclaims', claim(`${name}-claim`, `${name}-volume`));
    await bench.create('persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${name}-volume` },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: `${name}-claim` },
        csi: {
          driver: 'example.com',
          volumeHandle: name,
          nodeStageSecretRef: { name: `${name}-stage`, namespace: 'storage' },
          controllerPublishSecretRef: { name: `${name}-publish`, namespace: 'storage' },
          controllerExpandSecretRef: { name: `${name}-expand`, namespace: 'storage' },
        },
      },
    });
  }
  await bench.create('pods', pod('mine', 'worker', usesOf('mine')));
  await bench.create('pods', pod('theirs', 'other', usesOf('theirs')));
  await bench.create('persistentvolumeclaims', claim('greedy-claim', 'theirs-volume'));
  await bench.create(
    'pods',
    pod('greedy', 'worker', { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'greedy-claim' } }] }),
  );
  await bench.create(
    'pods',
    pod('mirror', 'worker', { volumes: [{ name: 'a', secret: { secretName: 'stolen' } }] }, MIRROR),
  );
  for (const nodeName of ['worker', 'other'])
    await bench.create('volumeattachments.storage.k8s.io', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: `at-${nodeName}` },
      spec: { attacher: 'example.com', nodeName, source: { persistentVolumeName: 'mine-volume' } },
    });
});

/** `get secrets default/mine`, `list pods` with the field selector after a question mark. */
function access(text: string): AccessAttributes {
  const [verb = '', what = '', place = ''] = text.split(' ');
  const [path = '', fieldSelector] = what.split('?');
  const [full = '', subresource = ''] = path.split('/');
  const [resource = '', ...group] = full.split('.');
  const [namespace = '', name = ''] = place.includes('/') ? place.split('/') : ['', place];
  return {
    verb,
    resource,
    group: group.join('.'),
    subresource,
    namespace,
    name,
    ...(fieldSelector && { fieldSelector }),
  };
}

const ALLOWED = [
  'get secrets default/mine-secret',
  'list secrets default/mine-secret',
  'watch secrets default/mine-images',
  'get secrets storage/mine-stage',
  'get configmaps default/mine-config',
  'get persistentvolumeclaims default/mine-claim',
  'patch persistentvolumeclaims/status default/mine-claim',
  'get persistentvolumes mine-volume',
  'get volumeattachments.storage.k8s.io at-worker',
  'get serviceaccounts default/mine',
  'create serviceaccounts/token default/mine',
  'get pods default/mine',
  'list pods?spec.nodeName=worker',
  'watch pods?spec.nodeName=worker default/',
  'create pods default/',
  'delete pods default/mine',
  'patch pods/status default/mine',
  'create pods/eviction default/mine',
  'get nodes worker',
  'watch nodes worker',
  'create nodes',
  'patch nodes worker',
  'update nodes/status worker',
  'create leases.coordination.k8s.io kube-node-lease/',
  'update leases.coordination.k8s.io kube-node-lease/worker',
  'patch csinodes.storage.k8s.io worker',
  'list resourceslices.resource.k8s.io?spec.nodeName=worker',
  'deletecollection resourceslices.resource.k8s.io?spec.nodeName=worker',
  'create resourceslices.resource.k8s.io',
  'list services',
  'list csidrivers.storage.k8s.io',
  'watch runtimeclasses.node.k8s.io',
  'create certificatesigningrequests.certificates.k8s.io',
  'create subjectaccessreviews.authorization.k8s.io',
  'create tokenreviews.authentication.k8s.io',
  'create events default/',
];

const DENIED = [
  'get secrets default/theirs-secret',
  'get secrets default/stolen',
  'get secrets storage/theirs-stage',
  'get secrets storage/mine-publish',
  'get secrets storage/mine-expand',
  'list secrets default/',
  'list secrets',
  'update secrets default/mine-secret',
  'get configmaps default/theirs-config',
  'list persistentvolumeclaims default/',
  'update persistentvolumeclaims default/mine-claim',
  'get persistentvolumeclaims/status default/mine-claim',
  'patch persistentvolumeclaims/status default/theirs-claim',
  'get persistentvolumes theirs-volume',
  'list persistentvolumes',
  'get volumeattachments.storage.k8s.io at-other',
  'get serviceaccounts default/theirs',
  'list serviceaccounts default/',
  'create serviceaccounts/token default/theirs',
  'create serviceaccounts default/',
  'get pods default/theirs',
  'list pods',
  'list pods default/',
  'list pods?spec.nodeName=other',
  'list pods?spec.nodeName!=worker',
  'update pods default/mine',
  'patch pods/ephemeralcontainers default/mine',
  'create pods/binding default/mine',
  'create pods/exec default/mine',
  'get pods/log default/mine',
  'get nodes other',
  'list nodes',
  'delete nodes worker',
  'get nodes/proxy worker',
  'list leases.coordination.k8s.io kube-node-lease/',
  'update leases.coordination.k8s.io kube-node-lease/other',
  'update leases.coordination.k8s.io default/worker',
  'list csinodes.storage.k8s.io',
  'get csinodes.storage.k8s.io other',
  'list resourceslices.resource.k8s.io',
  'list resourceslices.resource.k8s.io?spec.nodeName=other',
  'get resourceclaims.resource.k8s.io default/unused',
  'create deployments.apps default/',
  'delete events default/x',
  'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving',
];

describe('a kubelet', () => {
  it.each(ALLOWED)('may %s', async (text) => {
    expect(await authorizer.allows(WORKER, access(text))).toBe(true);
  });

  it.each(DENIED)('may not %s', async (text) => {
    expect(await authorizer.allows(WORKER, access(text))).toBe(false);
  });

  it.each([
    ['another user with its name', { username: 'system:node:worker', groups: ['system:authenticated'] }],
    ['a member of its group with another name', { username: 'worker', groups: ['system:nodes'] }],
    ['a node without a name', { username: 'system:node:', groups: ['system:nodes'] }],
  ])('is not %s', async (_, user) => {
    expect(await authorizer.allows(user, access('get nodes worker'))).toBe(false);
  });

  it.each([
    ['raw', { rawSelector: 'spec.nodeName=worker' }, true],
    ['parsed', { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['worker'] }] }, true],
    ['of another node', { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['other'] }] }, false],
    [
      'of several nodes',
      { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['worker', 'other'] }] },
      false,
    ],
  ])('may list its pods, says a review with a selector, %s', async (_, fieldSelector, allowed) => {
    const review = {
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector } },
    };
    const answer = await reviewAccess({ authorizer, user: WORKER }, review as never);
    expect(answer).toMatchObject({ allowed });
  });

  it('learns that nobody can list its rules, unlike other users', async () => {
    const review = { kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } } as never;
    expect(await reviewAccess({ authorizer, user: WORKER }, review)).toMatchObject({
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    });
    const ann = { username: 'ann', groups: [] };
    expect(await reviewAccess({ authorizer, user: ann }, review)).toMatchObject({ incomplete: false });
  });
});
