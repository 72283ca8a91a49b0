import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { TableRules } from '../../../lambdas/registry/ResourceEntry.ts';
import { endpoints } from '../../../lambdas/registry/resources/endpoints.ts';
import { events } from '../../../lambdas/registry/resources/events.ts';
import { formatSelector } from '../../../lambdas/registry/tables/columns.ts';
import { humanDuration } from '../../../lambdas/registry/tables/humanDuration.ts';
import { nodes } from '../../../lambdas/registry/resources/nodes.ts';
import { pods } from '../../../lambdas/registry/resources/pods.ts';
import { resourceQuotas } from '../../../lambdas/registry/resources/resourceQuotas.ts';
import { services } from '../../../lambdas/registry/resources/services.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');

function object(fields: Record<string, unknown>, metadata: Record<string, unknown> = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'x', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-31T11:59:00Z', ...metadata },
    ...fields,
  };
}

function cell(table: TableRules, of: KubernetesObject, column: string): unknown {
  return table.cells(of, NOW)[table.columns.findIndex(({ name }) => name === column)];
}

// The boundaries of apimachinery's duration.HumanDuration.
test.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [135, '2m15s'],
  [600, '10m'],
  [10_799, '179m'],
  [10_800, '3h'],
  [11_460, '3h11m'],
  [28_800, '8h'],
  [172_799, '47h'],
  [172_800, '2d'],
  [190_800, '2d5h'],
  [691_200, '8d'],
  [63_071_999, '729d'],
  [63_072_000, '2y'],
  [63_158_400, '2y1d'],
  [252_288_000, '8y'],
])('%i seconds are printed as %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});

describe('pods', () => {
  const spec = { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }, { name: 'j' }] };
  const running = { name: 'a', ready: true, restartCount: 0, state: { running: {} } };
  const ended = (reason: string, exitCode = 0) => ({
    name: 'b',
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode, reason } },
  });
  const waiting = (reason: string) => ({ name: 'b', ready: false, restartCount: 0, state: { waiting: { reason } } });
  const ready = [{ type: 'Ready', status: 'True' }];
  const cases: readonly [string, Record<string, unknown>, string, string, Record<string, unknown>?][] = [
    ['a new pod shows its phase', { phase: 'Pending' }, 'Pending', '0/2'],
    ['both containers run', { phase: 'Running', containerStatuses: [running, running] }, 'Running', '2/2'],
    [
      'a container is being created',
      { phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] },
      'ContainerCreating',
      '0/2',
    ],
    [
      'a container crashes in a loop',
      { phase: 'Running', containerStatuses: [running, waiting('CrashLoopBackOff')] },
      'CrashLoopBackOff',
      '1/2',
    ],
    [
      'an image cannot be pulled',
      { phase: 'Pending', containerStatuses: [waiting('ErrImagePull')] },
      'ErrImagePull',
      '0/2',
    ],
    [
      'two containers wait, and the first gives the reason',
      { phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff'), waiting('ErrImagePull')] },
      'ImagePullBackOff',
      '0/2',
    ],
    [
      'all containers have completed',
      { phase: 'Succeeded', containerStatuses: [ended('Completed')] },
      'Completed',
      '0/2',
    ],
    [
      'one container has completed and the pod is ready',
      { phase: 'Running', conditions: ready, containerStatuses: [running, ended('Completed')] },
      'Running',
      '1/2',
    ],
    [
      'one container has completed and the pod is not ready',
      { phase: 'Running', containerStatuses: [running, ended('Completed')] },
      'NotReady',
      '1/2',
    ],
    [
      'a container ended without a reason and shows its exit code',
      { phase: 'Failed', containerStatuses: [ended('', 3)] },
      'ExitCode:3',
      '0/2',
    ],
    [
      'the first init container runs',
      { phase: 'Pending', initContainerStatuses: [{ ...running, name: 'i', ready: false }] },
      'Init:0/2',
      '0/2',
    ],
    [
      'the second init container fails',
      {
        phase: 'Pending',
        initContainerStatuses: [
          { ...ended('Completed'), name: 'i' },
          { ...ended('Error', 1), name: 'j' },
        ],
      },
      'Init:Error',
      '0/2',
    ],
    [
      'an init container cannot pull',
      { phase: 'Pending', initContainerStatuses: [{ ...waiting('ErrImagePull'), name: 'i' }] },
      'Init:ErrImagePull',
      '0/2',
    ],
    ['the pod was evicted', { phase: 'Failed', reason: 'Evicted' }, 'Evicted', '0/2'],
    [
      'the pod is held back from scheduling',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      'SchedulingGated',
      '0/2',
    ],
    [
      'the pod is being deleted',
      { phase: 'Running', containerStatuses: [running] },
      'Terminating',
      '1/2',
      { deletionTimestamp: 'soon' },
    ],
    [
      'a pod that is being deleted was lost with its node',
      { phase: 'Running', reason: 'NodeLost' },
      'Unknown',
      '0/2',
      { deletionTimestamp: 'soon' },
    ],
    [
      'a pod that is being deleted has ended',
      { phase: 'Succeeded', containerStatuses: [ended('Completed')] },
      'Completed',
      '0/2',
      { deletionTimestamp: 'soon' },
    ],
  ];
  test.each(cases)('%s', (_name, status, reason, readiness, metadata) => {
    const pod = object({ spec, status }, metadata);
    expect([cell(pods.table, pod, 'Status'), cell(pods.table, pod, 'Ready')]).toEqual([reason, readiness]);
  });

  test('restarts show how long ago the last one was', () => {
    const lastState = { terminated: { exitCode: 1, finishedAt: '2026-01-31T11:59:55Z' } };
    const status = { phase: 'Running', containerStatuses: [{ ...running, restartCount: 3, lastState }] };
    expect(cell(pods.table, object({ spec, status }), 'Restarts')).toBe('3 (5s ago)');
  });

  test('a sidecar that has started counts as a container', () => {
    const sidecar = { containers: [{ name: 'a' }], initContainers: [{ name: 'i', restartPolicy: 'Always' }] };
    const status = {
      phase: 'Running',
      initContainerStatuses: [{ ...running, name: 'i', started: true }],
      containerStatuses: [running],
    };
    expect(cell(pods.table, object({ spec: sidecar, status }), 'Ready')).toBe('2/2');
  });
});

test.each([
  [{ type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ports: [{ port: 80 }] }, ['10.0.0.1', '<none>', '80/TCP']],
  [{ type: 'ClusterIP', clusterIP: 'None' }, ['None', '<none>', '<none>']],
  [
    { type: 'NodePort', clusterIP: '10.0.0.1', ports: [{ port: 80, nodePort: 30080, protocol: 'UDP' }] },
    ['10.0.0.1', '<none>', '80:30080/UDP'],
  ],
  [{ type: 'LoadBalancer', clusterIP: '10.0.0.1' }, ['10.0.0.1', '<pending>', '<none>']],
  [{ type: 'ExternalName', externalName: 'example.com' }, ['<none>', 'example.com', '<none>']],
])('a service with %j shows its addresses and ports', (spec, cells) => {
  const service = object({ spec });
  expect(['Cluster-IP', 'External-IP', 'Port(s)'].map((name) => cell(services.table, service, name))).toEqual(cells);
});

test('nodes show readiness, cordons and roles', () => {
  const status = { conditions: [{ type: 'Ready', status: 'False' }] };
  const labels = { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' };
  const node = object({ spec: { unschedulable: true }, status }, { labels });
  expect([cell(nodes.table, node, 'Status'), cell(nodes.table, node, 'Roles')]).toEqual([
    'NotReady,SchedulingDisabled',
    'control-plane,worker',
  ]);
});

test('events of both APIs show when they were first and last seen', () => {
  const older = object({
    involvedObject: { kind: 'Pod', name: 'p' },
    lastTimestamp: '2026-01-31T11:59:30Z',
    firstTimestamp: '2026-01-31T11:50:00Z',
    count: 4,
    source: { component: 'kubelet', host: 'n' },
  });
  const columns = ['Last Seen', 'First Seen', 'Count', 'Object', 'Source'];
  expect(columns.map((name) => cell(events.table, older, name))).toEqual(['30s', '10m', 4, 'pod/p', 'kubelet, n']);
  const newer = object({
    involvedObject: { kind: 'Pod', name: 'p' },
    eventTime: '2026-01-31T11:58:00.000000Z',
    series: { count: 7, lastObservedTime: '2026-01-31T11:59:50.000000Z' },
    reportingComponent: 'c',
  });
  expect(columns.map((name) => cell(events.table, newer, name))).toEqual(['10s', '2m', 7, 'pod/p', 'c']);
});

test('endpoints beyond the third are counted', () => {
  const addresses = ['1', '2', '3', '4'].map((last) => ({ ip: `10.0.0.${last}` }));
  expect(cell(endpoints.table, object({ subsets: [{ addresses, ports: [{ port: 80 }] }] }), 'Endpoints')).toBe(
    '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...',
  );
  expect(cell(endpoints.table, object({}), 'Endpoints')).toBe('<none>');
});

test('quotas show limits apart from requests', () => {
  const status = { hard: { pods: '2', 'limits.cpu': '1' }, used: { pods: '1' } };
  const quota = object({ status });
  expect([cell(resourceQuotas.table, quota, 'Request'), cell(resourceQuotas.table, quota, 'Limit')]).toEqual([
    'pods: 1/2',
    'limits.cpu: 0/1',
  ]);
});

test('selectors are printed sorted by key', () => {
  const selector = {
    matchLabels: { b: '1' },
    matchExpressions: [
      { key: 'a', operator: 'In', values: ['y', 'x'] },
      { key: 'c', operator: 'DoesNotExist' },
    ],
  };
  expect(formatSelector(selector)).toBe('a in (x,y),b=1,!c');
  expect(formatSelector({})).toBe('<none>');
});
