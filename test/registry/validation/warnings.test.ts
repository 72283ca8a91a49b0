import { describe, expect, test } from 'vitest';
import { cronJobs } from '../../../lambdas/registry/resources/cronJobs.ts';
import { daemonSets } from '../../../lambdas/registry/resources/daemonSets.ts';
import { deployments } from '../../../lambdas/registry/resources/deployments.ts';
import { jobs } from '../../../lambdas/registry/resources/jobs.ts';
import { pods } from '../../../lambdas/registry/resources/pods.ts';
import { replicaSets } from '../../../lambdas/registry/resources/replicaSets.ts';
import { replicationControllers } from '../../../lambdas/registry/resources/replicationControllers.ts';
import { statefulSets } from '../../../lambdas/registry/resources/statefulSets.ts';
import type { ResourceEntry } from '../../../lambdas/registry/ResourceEntry.ts';
import { objectOf } from '../../support/kindBench.ts';
import { deployment, startApi } from '../../rest/startApi.ts';

type Members = Readonly<Record<string, unknown>>;

const container = { name: 'web', image: 'nginx:1' };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };

function warningsOf(entry: ResourceEntry, members: Members, metadata: Members = {}): string[] {
  return entry.strategy.warnings?.(objectOf(entry, members, metadata), undefined) ?? [];
}

const surprising = (use: string) =>
  `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`;
const IN_PODS = surprising('Pod names and hostnames');

// The rows follow WarningsOnCreate of pkg/registry.
describe('a new object whose name is no DNS label', () => {
  test.each<[string, ResourceEntry, Members, string[]]>([
    ['a pod', pods, { spec: template.spec }, [surprising("the Pod's hostname")]],
    ['a Deployment', deployments, { spec: { template } }, [IN_PODS]],
    ['a ReplicaSet', replicaSets, { spec: { template } }, [IN_PODS]],
    ['a ReplicationController', replicationControllers, { spec: { template } }, [IN_PODS]],
    ['a Job', jobs, { spec: { template } }, [IN_PODS]],
    ['a CronJob', cronJobs, { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } }, [IN_PODS]],
    ['a DaemonSet, whose pods have names of their own,', daemonSets, { spec: { template } }, []],
    ['a StatefulSet, which is refused,', statefulSets, { spec: { template } }, []],
  ])('%s gets the warnings of Kubernetes', (_, entry, members, warnings) => {
    expect(warningsOf(entry, members, { name: 'web.example' })).toEqual(warnings);
    expect(warningsOf(entry, members, { name: 'web-1' })).toEqual([]);
  });
});

const HIDES = 'hides previous definition of "A", which may be dropped when using apply';
const NULL_SELECTOR = 'a null labelSelector results in matching no pod';
const env = (...values: Members[]) => ({
  containers: [{ ...container, env: values.map((one) => ({ name: 'A', ...one })) }],
});
const ports = (...values: Members[]) => ({
  containers: [{ ...container, ports: values.map((one) => ({ containerPort: 80, ...one })) }],
});
const term = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] });

// The rows follow warningsForPodSpecAndMeta of pkg/api/pod.
describe('a new pod', () => {
  test.each<[string, Members, string[]]>([
    ['with a variable twice', env({ value: 'a' }, { value: 'b' }), [`spec.containers[0].env[1]: ${HIDES}`]],
    ['with a variable that extends another', env({ value: 'a' }, { value: '$(A)b' }), []],
    ['with a variable that is itself', env({ value: 'a' }, { value: '$(A)' }), [`spec.containers[0].env[1]: ${HIDES}`]],
    [
      'with the same port twice',
      ports({}, {}),
      ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'with a port with and without a port of the host',
      ports({ hostPort: 8080 }, {}),
      ['spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]'],
    ],
    [
      'with a port of the host on one and on all addresses',
      ports({ hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80 }),
      ['spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]'],
    ],
    ['with a port for each protocol', ports({ protocol: 'TCP' }, { protocol: 'UDP' }), []],
    [
      'with an address and no port of the host',
      ports({ hostIP: '10.0.0.1' }),
      [
        'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
      ],
    ],
    [
      'with a fraction of a byte',
      { containers: [{ ...container, resources: { limits: { memory: '1500m', cpu: '1500m' } } }] },
      ['limits', 'requests'].map(
        (list) =>
          `spec.containers[0].resources.${list}[memory]: fractional byte value "1500m" is invalid, must be an integer`,
      ),
    ],
    [
      'with an address of a host twice',
      { hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }] },
      ['spec.hostAliases[1].ip: duplicate ip "10.0.0.1"'],
    ],
    [
      'with a secret twice, and one without a name',
      { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] },
      ['spec.imagePullSecrets[1].name: duplicate name "a"', 'spec.imagePullSecrets[2].name: invalid empty name ""'],
    ],
    [
      'with a negative grace period',
      { terminationGracePeriodSeconds: -1 },
      ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'],
    ],
    [
      'with a volume that nothing mounts',
      {
        volumes: [
          { name: 'a', glusterfs: {} },
          { name: 'b', storageos: {} },
        ],
      },
      [
        'spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+',
        'spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+',
      ],
    ],
    [
      'with a former label of nodes',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'with a former label of nodes in its affinity',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('beta.kubernetes.io/arch')] },
          },
        },
      },
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
      ],
    ],
    [
      'that spreads no pods',
      { topologySpreadConstraints: [{ topologyKey: 'zone' }] },
      [`spec.topologySpreadConstraints[0].labelSelector: ${NULL_SELECTOR}`],
    ],
    [
      'that avoids no pods',
      { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } } },
      [
        `spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: ${NULL_SELECTOR}`,
      ],
    ],
    ['without anything odd', {}, []],
  ])('%s gets the warnings of Kubernetes', (_, spec, warnings) => {
    expect(warningsOf(pods, { spec: { containers: [container], ...spec } })).toEqual(warnings);
  });
});

test('a template gets them at its place, with its annotations', () => {
  const annotations = { 'scheduler.alpha.kubernetes.io/critical-pod': '' };
  const odd = { metadata: { annotations }, spec: { containers: [container], terminationGracePeriodSeconds: -1 } };
  const messages = (path: string) => [
    `${path}.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead`,
    `${path}.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
  ];
  expect(warningsOf(daemonSets, { spec: { template: odd } })).toEqual(messages('spec.template'));
  expect(warningsOf(cronJobs, { spec: { jobTemplate: { spec: { template: odd } } } })).toEqual(
    messages('spec.jobTemplate.spec.template'),
  );
});

test('a Job with very many indexes gets a warning', () => {
  const large = { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, template };
  expect(warningsOf(jobs, { spec: large })).toEqual([expect.stringMatching(/^spec: In Indexed Jobs with a number of/)]);
});

test('a change of the spec warns of the template again, but not of the name, and a CronJob of its zone', () => {
  const odd = { ...template, spec: { containers: [container], terminationGracePeriodSeconds: -1 } };
  const changed = (entry: ResourceEntry, members: Members, generation: number) =>
    entry.strategy.warnings?.(
      objectOf(entry, members, { name: 'web.example', generation }),
      objectOf(entry, members, { name: 'web.example', generation: 1 }),
    );
  const message = 'terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
  expect(changed(deployments, { spec: { template: odd } }, 2)).toEqual([`spec.template.spec.${message}`]);
  expect(changed(deployments, { spec: { template: odd } }, 1)).toEqual([]);
  expect(changed(pods, { spec: odd.spec }, 2)).toEqual([]);
  expect(changed(cronJobs, { spec: { schedule: 'TZ=UTC 0 0 * * *', jobTemplate: { spec: { template } } } }, 1)).toEqual(
    [expect.stringMatching(/^cannot use TZ or CRON_TZ in spec\.spec\.schedule, use timeZone instead/)],
  );
});

test('the answer of a create has them as Warning headers, and a refused create has none', async () => {
  const api = await startApi();
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const created = await api.call('POST', path, deployment('web.example'));
  expect(created.code).toBe(201);
  expect(created.headers.get('warning')).toContain('299 - "metadata.name: this is used in Pod names and hostnames');
  const refused = await api.call('POST', path, { ...deployment('api.example'), spec: {} });
  expect([refused.code, refused.headers.get('warning')]).toEqual([422, null]);
});
