import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { restrictNode } from '../../../lambdas/rest/nodeauthorizer/restrictNode.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { createSigningRequest } from '../../support/signingRequests.ts';

const MIRROR = { 'kubernetes.io/config.mirror': 'x' };

let bench: ControllerBench;
let restricted: Registry;
let uid: string;
beforeEach(async () => {
  bench = new ControllerBench();
  restricted = restrictNode(bench.registry, 'worker');
  for (const name of ['default', 'kube-node-lease'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await bench.createNode('worker');
  uid = (await bench.get('nodes', '', 'worker'))?.metadata.uid ?? '';
});

const metadata = { name: 'x', namespace: 'default' };
const main = { containers: [{ name: 'main', image: 'nginx' }], nodeName: 'worker' };
const owner = (change: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  name: 'worker',
  uid,
  controller: true,
  ...change,
});
const mirror = (spec: object = {}, owners: readonly object[] = [owner()]): NewObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, annotations: MIRROR, ownerReferences: owners },
    spec: { ...main, ...spec },
  }) as unknown as NewObject;

async function createError(resource: string, object: NewObject): Promise<string | undefined> {
  const outcome = await restricted.create(resource, object);
  return outcome.status === 'refused' ? outcome.error.message.replace(/^.* is forbidden: /, '') : undefined;
}

describe('a kubelet creates', () => {
  it('the mirror pod of a static pod', async () => {
    expect(await createError('pods', mirror())).toBeUndefined();
  });

  const volume = (source: object) => mirror({ volumes: [{ name: 'a', ...source }] });
  it.each<[string, () => NewObject, string]>([
    [
      'that mirrors nothing',
      () => ({ ...mirror(), metadata }),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "worker" can only create mirror pods',
    ],
    [
      'of another node',
      () => mirror({ nodeName: 'other' }),
      'node "worker" can only create pods with spec.nodeName set to itself',
    ],
    [
      'without an owner',
      () => mirror({}, []),
      'node "worker" can only create pods with an owner reference set to itself',
    ],
    [
      'of two owners',
      () => mirror({}, [owner(), owner({ name: 'other' })]),
      'node "worker" can only create pods with a single owner reference set to itself',
    ],
    [
      'of another owner',
      () => mirror({}, [owner({ kind: 'ReplicaSet' })]),
      'node "worker" can only create pods with an owner reference set to itself',
    ],
    [
      'that it does not control',
      () => mirror({}, [owner({ controller: false })]),
      'node "worker" can only create pods with a controller owner reference set to itself',
    ],
    [
      'that blocks the deletion of the node',
      () => mirror({}, [owner({ blockOwnerDeletion: true })]),
      'node "worker" must not set blockOwnerDeletion on an owner reference',
    ],
    [
      'of an earlier node of the name',
      () => mirror({}, [owner({ uid: 'old' })]),
      'node worker UID mismatch: expected old got',
    ],
    [
      'with an account',
      () => mirror({ serviceAccountName: 'default' }),
      'node "worker" can not create pods that reference a service account',
    ],
    [
      'with a secret',
      () => volume({ secret: { secretName: 's' } }),
      'node "worker" can not create pods that reference secrets',
    ],
    [
      'with a config map',
      () => volume({ configMap: { name: 'c' } }),
      'node "worker" can not create pods that reference configmaps',
    ],
    [
      'with a claim',
      () => volume({ persistentVolumeClaim: { claimName: 'c' } }),
      'node "worker" can not create pods that reference persistentvolumeclaims',
    ],
    [
      'with a bundle of certificates',
      () => volume({ projected: { sources: [{ clusterTrustBundle: { name: 'b', path: 'p' } }] } }),
      'node "worker" can not create pods that reference clustertrustbundles',
    ],
    [
      'with a device',
      () => mirror({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }),
      'node "worker" can not create pods that reference resourceclaims',
    ],
  ])('no pod %s', async (_, object, message) => {
    expect(await createError('pods', object())).toContain(message);
  });

  it.each<[string, string, NewObject, string]>([
    [
      'node but its own',
      'nodes',
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'other' } },
      'node "worker" is not allowed to modify node "other"',
    ],
    [
      'label of others on it',
      'nodes',
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker', labels: { 'node-role.kubernetes.io/x': '' } } },
      'node "worker" is not allowed to set the following labels: node-role.kubernetes.io/x',
    ],
    [
      'lease elsewhere',
      'leases.coordination.k8s.io',
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'worker', namespace: 'default' } },
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'lease of another node',
      'leases.coordination.k8s.io',
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'other', namespace: 'kube-node-lease' },
      },
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'drivers of another node',
      'csinodes.storage.k8s.io',
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'other' }, spec: { drivers: [] } },
      'can only access CSINode with the same name as the requesting node',
    ],
    [
      'devices of another node',
      'resourceslices.resource.k8s.io',
      { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'x' }, spec: { nodeName: 'other' } },
      'can only create ResourceSlice with the same NodeName as the requesting node',
    ],
  ])('no %s', async (_, resource, object, message) => {
    expect(await createError(resource, object)).toBe(message);
  });

  it('no request for the certificate of somebody else', async () => {
    // The request is for alice.
    const spec = {
      username: 'system:node:worker',
      request: await createSigningRequest(),
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['server auth'],
    };
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'x' },
    };
    const resource = 'certificatesigningrequests.certificates.k8s.io';
    expect(await createError(resource, { ...request, spec })).toBe(
      'can only create a node CSR with CN=system:node:worker',
    );
    const other = { ...spec, signerName: 'example.com/signer' };
    expect(await createError(resource, { ...request, spec: other })).toBeUndefined();
  });
});

describe('a kubelet changes', () => {
  async function updateError(resource: string, stored: KubernetesObject, change: object, subresource?: string) {
    const options = subresource === undefined ? {} : ({ subresource } as { subresource: 'status' });
    const outcome = await restricted.update(resource, { ...stored, ...change }, options);
    return outcome.status === 'refused' ? outcome.error.message.replace(/^.* is forbidden: /, '') : undefined;
  }
  const plainPod = (nodeName: string): NewObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { ...main, nodeName },
  });

  it('the status of its pods, and only that', async () => {
    const pod = await bench.create('pods', plainPod('worker'));
    expect(await updateError('pods', pod, { status: { phase: 'Running' } }, 'status')).toBeUndefined();
    const latest = (await bench.get('pods', 'default', 'x')) ?? pod;
    const labels = { metadata: { ...latest.metadata, labels: { a: 'b' } } };
    expect(await updateError('pods', latest, labels, 'status')).toBe(
      'node "worker" cannot update labels through pod status',
    );
    const claims = {
      status: { ...(latest['status'] as object), resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'g' }] },
    };
    expect(await updateError('pods', latest, claims, 'status')).toBe(
      'node "worker" cannot update resource claim statues',
    );
  });

  it('no pod of another node', async () => {
    const pod = await bench.create('pods', plainPod('other'));
    expect(await updateError('pods', pod, { status: { phase: 'Failed' } }, 'status')).toBe(
      'node "worker" can only update pod status for pods with spec.nodeName set to itself',
    );
    const deleted = await restricted.delete({ resource: 'pods', namespace: 'default', name: 'x' });
    expect(deleted.status === 'refused' && deleted.error.message).toContain(
      'node "worker" can only delete pods with spec.nodeName set to itself',
    );
  });

  it('its node, but not what decides about pods, nor its owners', async () => {
    const node = await bench.get('nodes', '', 'worker');
    if (!node) throw new Error('the node is missing');
    const spec = node['spec'] as object;
    expect(await updateError('nodes', node, { spec: { ...spec, taints: [{ key: 'a', effect: 'NoSchedule' }] } })).toBe(
      'node "worker" is not allowed to modify taints',
    );
    const owned = { metadata: { ...node.metadata, ownerReferences: [owner()] } };
    expect(await updateError('nodes', node, owned)).toBe('node "worker" is not allowed to modify ownerReferences');
    const labelled = { metadata: { ...node.metadata, labels: { ...node.metadata.labels, 'example.com/disk': 'ssd' } } };
    expect(await updateError('nodes', node, labelled)).toBeUndefined();
  });

  it('of a claim only what it has resized', async () => {
    const claim = await bench.create('persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    const status = (more: object) => ({ status: { ...(claim['status'] as object), ...more } });
    expect(await updateError('persistentvolumeclaims', claim, status({ phase: 'Bound' }), 'status')).toContain(
      'node "worker" is not allowed to update fields other than status.capacity and status.conditions',
    );
    expect(await updateError('persistentvolumeclaims', claim, {})).toBe('may only update PVC status');
    expect(
      await updateError('persistentvolumeclaims', claim, status({ capacity: { storage: '1Gi' } }), 'status'),
    ).toBeUndefined();
  });
});
