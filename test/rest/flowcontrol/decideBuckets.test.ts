import { describe, expect, test } from 'vitest';
import { classifyRequest } from '../../../lambdas/rest/flowcontrol/classifyRequest.ts';
import { decideBuckets } from '../../../lambdas/rest/flowcontrol/decideBuckets.ts';
import { completeFlowControl } from '../../../lambdas/rest/flowcontrol/FlowControlConfiguration.ts';
import type { UserInfo } from '../../../lambdas/rest/rbac/UserInfo.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';

const SETTINGS = { user: { perSecond: 10, burst: 20 }, namespace: { perSecond: 30, burst: 60 } };
const OBJECTS = completeFlowControl([], []);

const user = (username: string, ...groups: string[]): UserInfo => ({
  username,
  groups: [...groups, 'system:authenticated'],
});
const ANN = user('ann');
const ROOT = user('root', 'system:masters');
const NODE = user('system:node:a', 'system:nodes');
const ROBOT = user('system:serviceaccount:ci:robot', 'system:serviceaccounts', 'system:serviceaccounts:ci');
const MANAGER = user('system:kube-controller-manager');
const SYSTEM_ROBOT = user('system:serviceaccount:kube-system:robot', 'system:serviceaccounts');
const NOBODY: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const UNGROUPED: UserInfo = { username: 'lost', groups: [] };

function classify(sender: UserInfo, method: string, path: string) {
  const info = resolveRequestInfo(method, new URL(`http://localhost${path}`));
  return { info, flow: classifyRequest(OBJECTS, info, sender) };
}

describe('by the schemas and levels that Kubernetes has from the start, a request', () => {
  test.each<[string, UserInfo, string, string, string, string[]]>([
    ['of an administrator is exempt', ROOT, 'GET', '/api/v1/pods', 'exempt', []],
    ['to a probe is exempt', ANN, 'GET', '/livez/ping', 'probes', []],
    ['of a user', ANN, 'GET', '/api/v1/nodes', 'global-default', ['user flow global-default ann 10/20']],
    [
      'of a user in a namespace',
      ANN,
      'GET',
      '/api/v1/namespaces/dev/pods',
      'global-default',
      ['user flow global-default ann 10/20', 'namespace namespace global-default dev 30/60'],
    ],
    [
      'that writes an event',
      ANN,
      'POST',
      '/api/v1/namespaces/dev/events',
      'events',
      ['user flow events ann 5/10', 'namespace namespace event dev 15/30'],
    ],
    [
      'of a service account',
      ROBOT,
      'GET',
      '/api/v1/namespaces/dev/pods',
      'service-accounts',
      [
        'user flow service-accounts system:serviceaccount:ci:robot 40/80',
        'namespace namespace workload-low dev 120/240',
      ],
    ],
    [
      'of a service account of kube-system',
      SYSTEM_ROBOT,
      'GET',
      '/api/v1/namespaces/dev/pods',
      'kube-system-service-accounts',
      ['namespace flow kube-system-service-accounts dev 120/240'],
    ],
    [
      'that elects a leader',
      SYSTEM_ROBOT,
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/it',
      'system-leader-election',
      [
        'user flow system-leader-election system:serviceaccount:kube-system:robot 50/100',
        'namespace namespace leader-election kube-system 150/300',
      ],
    ],
    [
      'of a controller',
      MANAGER,
      'GET',
      '/apis/apps/v1/namespaces/dev/deployments',
      'kube-controller-manager',
      ['namespace flow kube-controller-manager dev 120/240'],
    ],
    [
      'that renews the lease of a node',
      NODE,
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a',
      'system-node-high',
      ['user flow system-node-high system:node:a 60/120'],
    ],
    [
      'of a node about a pod, which counts for no namespace',
      NODE,
      'PATCH',
      '/api/v1/namespaces/dev/pods/web/status',
      'system-nodes',
      ['user flow system-nodes system:node:a 40/80'],
    ],
    ['of nobody', NOBODY, 'GET', '/version', 'global-default', ['user flow global-default system:anonymous 10/20']],
  ])('%s', (_, sender, method, path, schema, expected) => {
    const { flow, info } = classify(sender, method, path);
    expect(flow?.schema.metadata.name).toBe(schema);
    const buckets = flow ? decideBuckets(SETTINGS, flow, info, sender) : [];
    const texts = buckets.map(
      ({ limit, name, rate }) => `${limit} ${name.replaceAll('\n', ' ')} ${rate.perSecond}/${rate.burst}`,
    );
    expect(texts).toEqual(expected);
  });

  test('of a user in no group belongs to no flow', () => {
    expect(classify(UNGROUPED, 'GET', '/version').flow).toBeUndefined();
  });
});

describe('a limit that is not set', () => {
  const { flow, info } = classify(ANN, 'GET', '/api/v1/namespaces/dev/pods');
  test.each([
    ['of users leaves that of namespaces', { namespace: SETTINGS.namespace }, ['namespace']],
    ['of namespaces leaves that of users', { user: SETTINGS.user }, ['user']],
  ])('%s', (_, settings, limits) => {
    expect(flow && decideBuckets(settings, flow, info, ANN).map(({ limit }) => limit)).toEqual(limits);
  });
});

describe('a level', () => {
  const schema = {
    metadata: { name: 'mine' },
    spec: { priorityLevelConfiguration: { name: 'mine' }, distinguisherMethod: { type: 'ByUser' } },
  };
  const rateOf = (limited: object) => {
    const level = { metadata: { name: 'mine' }, spec: { type: 'Limited', limited } };
    const flow = { schema, level, distinguisher: 'ann' };
    const { info } = classify(ANN, 'GET', '/version');
    return decideBuckets({ user: SETTINGS.user }, flow, info, ANN)[0]?.rate;
  };

  test.each([
    ['with five shares has half the rate', { nominalConcurrencyShares: 5 }, { perSecond: 5, burst: 10 }],
    ['without a number has thirty', {}, { perSecond: 30, burst: 60 }],
    ['with no shares admits nothing', { nominalConcurrencyShares: 0 }, { perSecond: 0, burst: 1 }],
  ])('%s', (_, limited, rate) => {
    expect(rateOf(limited)).toEqual(rate);
  });
});
