import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { type Authorizer, createRbacAuthorizer } from '../../../lambdas/rest/rbac/createRbacAuthorizer.ts';
import { ensureDefaultRoles } from '../../../lambdas/rest/rbac/ensureDefaultRoles.ts';
import { SMOKE_TEST_NAMESPACE, SMOKE_TEST_USER } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const RBAC = 'rbac.authorization.k8s.io';
const SYSTEM = 'kube-system';

/** The cluster roles of a cluster made by kube-apiserver 1.35, and metrics-server's. */
const CLUSTER_ROLES = [
  'admin',
  'cluster-admin',
  'edit',
  'system:aggregate-to-admin',
  'system:aggregate-to-edit',
  'system:aggregate-to-view',
  'system:aggregated-metrics-reader',
  'system:auth-delegator',
  'system:basic-user',
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
  'system:certificates.k8s.io:kube-apiserver-client-approver',
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver',
  'system:certificates.k8s.io:kubelet-serving-approver',
  'system:certificates.k8s.io:legacy-unknown-approver',
  'system:discovery',
  'system:heapster',
  'system:kube-aggregator',
  'system:kube-controller-manager',
  'system:kube-dns',
  'system:kube-scheduler',
  'system:kubelet-api-admin',
  'system:monitoring',
  'system:node',
  'system:node-bootstrapper',
  'system:node-problem-detector',
  'system:node-proxier',
  'system:persistent-volume-provisioner',
  'system:public-info-viewer',
  'system:service-account-issuer-discovery',
  'system:volume-scheduler',
  'view',
];

const CONTROLLERS = [
  'attachdetach-controller',
  'certificate-controller',
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'disruption-controller',
  'endpoint-controller',
  'endpointslice-controller',
  'endpointslicemirroring-controller',
  'ephemeral-volume-controller',
  'expand-controller',
  'generic-garbage-collector',
  'horizontal-pod-autoscaler',
  'job-controller',
  'legacy-service-account-token-cleaner',
  'namespace-controller',
  'node-controller',
  'persistent-volume-binder',
  'pod-garbage-collector',
  'pv-protection-controller',
  'pvc-protection-controller',
  'replicaset-controller',
  'replication-controller',
  'resource-claim-controller',
  'resourcequota-controller',
  'root-ca-cert-publisher',
  'route-controller',
  'selinux-warning-controller',
  'service-account-controller',
  'service-cidrs-controller',
  'service-controller',
  'statefulset-controller',
  'ttl-after-finished-controller',
  'ttl-controller',
  'validatingadmissionpolicy-status-controller',
  'volumeattributesclass-protection-controller',
];

let bench: ControllerBench;
let authorizer: Authorizer;
beforeEach(async () => {
  bench = new ControllerBench();
  authorizer = createRbacAuthorizer(bench.registry);
  for (const name of [SYSTEM, 'kube-public'])
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
});

const user = (username: string, ...groups: string[]) => ({ username, groups: [...groups, 'system:authenticated'] });
const account = (name: string) => user(`system:serviceaccount:${SYSTEM}:${name}`, 'system:serviceaccounts');

/** `create pods/binding`, or `get leases.coordination.k8s.io kube-scheduler`. */
function access(text: string, namespace: string) {
  const [verb = '', what = '', name = ''] = text.split(' ');
  if (what.startsWith('/')) return { verb, path: what };
  const [place = '', subresource = ''] = what.split('/');
  const [resource = '', ...group] = place.split('.');
  return { verb, resource, group: group.join('.'), subresource, namespace, name };
}

async function namesOf(resource: string): Promise<string[]> {
  const { items } = await bench.registry.list(`${resource}.${RBAC}`);
  return items.map(({ metadata }) => metadata.name).toSorted();
}

describe('the default roles', () => {
  it('are those of a cluster of 1.35', async () => {
    await ensureDefaultRoles(bench.registry);
    expect(await namesOf('clusterroles')).toEqual(CLUSTER_ROLES);
    expect(await namesOf('roles')).toEqual([
      'extension-apiserver-authentication-reader',
      'system::leader-locking-kube-controller-manager',
      'system::leader-locking-kube-scheduler',
      'system:controller:bootstrap-signer',
      'system:controller:bootstrap-signer',
      'system:controller:cloud-provider',
      'system:controller:token-cleaner',
    ]);
  });

  it('of the controllers exist for another controller manager, each bound to its account', async () => {
    await ensureDefaultRoles(bench.registry, { hasControllerRoles: true });
    const names = CONTROLLERS.map((name) => `system:controller:${name}`);
    expect(await namesOf('clusterroles')).toEqual([...CLUSTER_ROLES, ...names].toSorted());
    const { items } = await bench.registry.list<Stored<ClusterRoleBinding>>(`clusterrolebindings.${RBAC}`);
    const bound = items.filter(({ metadata }) => metadata.name.startsWith('system:controller:'));
    expect(bound.map(({ roleRef, subjects = [] }) => `${roleRef.name} to ${subjects[0]?.name}`).toSorted()).toEqual(
      CONTROLLERS.map((name) => `system:controller:${name} to ${name}`),
    );
  });

  it.each([
    [account('replicaset-controller'), 'create pods', true],
    [account('replicaset-controller'), 'create pods/binding', false],
    [account('statefulset-controller'), 'delete persistentvolumeclaims', true],
    [account('pod-garbage-collector'), 'patch pods/status', true],
    [account('node-controller'), 'create nodes', false],
    [account('horizontal-pod-autoscaler'), 'update deployments.apps/scale', true],
    [account('horizontal-pod-autoscaler'), 'update deployments.apps', false],
    [account('certificate-controller'), 'sign signers.certificates.k8s.io kubernetes.io/kubelet-serving', true],
    [account('certificate-controller'), 'approve signers.certificates.k8s.io kubernetes.io/kubelet-serving', false],
    [account('generic-garbage-collector'), 'delete widgets.example.com', true],
    [account('generic-garbage-collector'), 'create widgets.example.com', false],
    [account('token-cleaner'), 'delete secrets', true],
    [account('bootstrap-signer'), 'delete secrets', false],
    [user('system:kube-scheduler'), 'create pods/binding', true],
    [user('system:kube-scheduler'), 'update leases.coordination.k8s.io kube-scheduler', true],
    [user('system:kube-scheduler'), 'update leases.coordination.k8s.io kube-controller-manager', false],
    [user('system:kube-scheduler'), 'update persistentvolumes', true],
    [user('system:kube-scheduler'), 'get configmaps extension-apiserver-authentication', true],
    [user('system:kube-controller-manager'), 'create serviceaccounts/token', true],
    [user('system:kube-controller-manager'), 'delete pods', false],
    [user('system:kube-proxy'), 'watch endpointslices.discovery.k8s.io', true],
    [user('prometheus', 'system:monitoring'), 'get /metrics', true],
    [user('prometheus'), 'get /metrics', false],
    [user('node', 'system:nodes'), 'list nodes', false],
    [{ username: 'system:anonymous', groups: ['system:unauthenticated'] }, 'get /readyz', true],
    [{ username: 'system:anonymous', groups: ['system:unauthenticated'] }, 'get /apis', false],
  ])('let $username "%s": %s', async (who, what, isAllowed) => {
    await ensureDefaultRoles(bench.registry, { hasControllerRoles: true });
    expect(await authorizer.allows(who, access(what, SYSTEM))).toBe(isAllowed);
  });
});

describe('the role of the smoke test', () => {
  it('exists only where there is one, in a namespace of its own', async () => {
    const namespaces = async () => (await bench.registry.list('namespaces')).items.map(({ metadata }) => metadata.name);
    await ensureDefaultRoles(bench.registry);
    expect(await namespaces()).not.toContain(SMOKE_TEST_NAMESPACE);
    await ensureDefaultRoles(bench.registry, { hasSmokeTest: true });
    expect(await namespaces()).toContain(SMOKE_TEST_NAMESPACE);
    expect(await namesOf('clusterroles')).toEqual(CLUSTER_ROLES.toSorted());
  });

  it('takes the place of the cluster role of earlier releases', async () => {
    await bench.create(`clusterroles.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: SMOKE_TEST_USER },
      rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] }],
    });
    await bench.create(`clusterrolebindings.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: SMOKE_TEST_USER },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: SMOKE_TEST_USER },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: SMOKE_TEST_USER }],
    });
    const mayCreate = () => authorizer.allows(user(SMOKE_TEST_USER), access('create deployments.apps', SYSTEM));
    expect(await mayCreate()).toBe(true);
    await ensureDefaultRoles(bench.registry, { hasSmokeTest: true });
    expect(await mayCreate()).toBe(false);
    expect(await namesOf('clusterroles')).not.toContain(SMOKE_TEST_USER);
    expect(await namesOf('clusterrolebindings')).not.toContain(SMOKE_TEST_USER);
  });

  it.each([
    ['create deployments.apps', true],
    ['patch deployments.apps smoke-test-1', true],
    ['list pods', true],
    ['delete replicasets.apps smoke-test-1', true],
    ['create pods', false],
    ['get secrets smoke-test', false],
    ['create namespaces', false],
    ['delete namespaces driftless-smoke-test', false],
    ['create rolebindings.rbac.authorization.k8s.io', false],
    ['create serviceaccounts/token', false],
  ])('lets its user "%s" in its own namespace: %s, and nowhere else', async (what, isAllowed) => {
    await ensureDefaultRoles(bench.registry, { hasSmokeTest: true });
    const allowed = (namespace: string) => authorizer.allows(user(SMOKE_TEST_USER), access(what, namespace));
    expect(await allowed(SMOKE_TEST_NAMESPACE)).toBe(isAllowed);
    for (const other of [SYSTEM, 'default', '']) expect(await allowed(other)).toBe(false);
  });
});

describe('what is added to view', () => {
  const widgets = access('get widgets.example.com', SYSTEM);
  beforeEach(async () => {
    await ensureDefaultRoles(bench.registry);
    await bench.create(`clusterroles.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'widgets', labels: { [`${RBAC}/aggregate-to-view`]: 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }],
    });
  });

  it.each(['view', 'edit', 'admin'])('is part of %s', async (role) => {
    await bench.create(`rolebindings.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'ann', namespace: SYSTEM },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ann' }],
    });
    expect(await authorizer.allows(user('ann'), widgets)).toBe(true);
    const rules = (await authorizer.rulesFor({ username: 'ann', groups: [] }, SYSTEM)).map((rule) =>
      JSON.stringify(rule),
    );
    expect(new Set(rules).size).toBe(rules.length);
  });

  it('is added to roles of an older version, which lack the labels', async () => {
    const place = { resource: `clusterroles.${RBAC}`, namespace: '', name: 'view' };
    const view = await bench.registry.get<Stored<ClusterRole>>(place);
    if (!view) throw new Error('view is missing');
    await bench.registry.update(place.resource, { ...view, metadata: { ...view.metadata, labels: { own: 'x' } } });
    await ensureDefaultRoles(bench.registry);
    expect((await bench.registry.get(place))?.metadata.labels).toEqual({
      own: 'x',
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      [`${RBAC}/aggregate-to-edit`]: 'true',
    });
  });
});
