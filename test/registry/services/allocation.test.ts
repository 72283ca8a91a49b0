import { beforeEach, describe, expect, test } from 'vitest';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { parseClusterIpRanges, parseNodePortRange } from '../../../lambdas/registry/services/ServiceNetwork.ts';
import { FakeObjectStore } from '../../support/FakeObjectStore.ts';
import { refusal, stored } from '../../support/openTestRegistry.ts';

type Spec = Record<string, unknown>;

interface Made extends Spec {
  readonly clusterIP?: string;
  readonly clusterIPs?: string[];
  readonly ports: { readonly nodePort?: number }[];
}

const IP_ADDRESSES = 'ipaddresses.networking.k8s.io';
const NODE_PORTS = 'nodeports.driftless.dev';
const PORTS = [{ port: 80 }];
const keyOf = (name: string) => ({ resource: 'services', namespace: 'ns', name });
const service = (name: string, spec: Spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'ns' },
  spec: { ports: PORTS, selector: { app: 'web' }, ...spec },
});

interface ServiceRanges {
  readonly clusterIps?: string;
  readonly nodePorts?: string;
}

let store: FakeObjectStore;
let clock: VirtualClock;
let registry: Registry;

async function open(ranges: ServiceRanges = {}): Promise<void> {
  store = new FakeObjectStore();
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const catalog = createResourceCatalog(resourceEntries);
  const serviceNetwork = {
    ranges: parseClusterIpRanges(ranges.clusterIps),
    nodePorts: parseNodePortRange(ranges.nodePorts),
  };
  registry = createRegistry({ objectStore: store, clock, ids: new SeededIds(1), catalog, serviceNetwork });
  stored(await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } }));
}
beforeEach(() => open());

const create = async (name: string, spec: Spec = {}) =>
  specOf(stored(await registry.create('services', service(name, spec))));
const refuse = async (name: string, spec: Spec = {}) => refusal(await registry.create('services', service(name, spec)));
const specOf = (object: KubernetesObject) => object['spec'] as Made;
const change = async (name: string, members: Spec) => {
  const old = await registry.get(keyOf(name));
  const { resourceVersion: _, ...metadata } = (old as KubernetesObject).metadata;
  return registry.update('services', {
    ...old,
    metadata,
    spec: { ...specOf(old as KubernetesObject), ...members },
  } as unknown as KubernetesObject);
};
const claimed = async (resource: string) => (await store.list(resource)).items.map(({ metadata }) => metadata.name);
const portsOf = (spec: Made) => spec.ports.map(({ nodePort }) => nodePort);
const invalid = (name: string, error: string) => `Invalid: Service "${name}" is invalid: ${error}`;

const DUAL = { clusterIps: '10.96.0.0/24,fd00:10:96::/112' };

describe('the addresses of a new Service', () => {
  test.each<[string, ServiceRanges, Spec, Spec]>([
    [
      'one',
      {},
      {},
      {
        clusterIPs: [expect.stringMatching(/^10\.(9[6-9]|10\d|11[01])\./)],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
    ],
    [
      'the one it asks for',
      {},
      { clusterIP: '10.96.7.7' },
      { clusterIPs: ['10.96.7.7'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    ['none', {}, { clusterIP: 'None' }, { clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }],
    [
      'none, and anybody chooses its endpoints',
      {},
      { clusterIP: 'None', selector: undefined },
      { clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
    [
      'one where it prefers two',
      {},
      { ipFamilyPolicy: 'PreferDualStack' },
      { clusterIPs: [expect.any(String)], ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' },
    ],
    [
      'two',
      DUAL,
      { ipFamilyPolicy: 'RequireDualStack' },
      {
        clusterIPs: [expect.stringMatching(/^10\.96\.0\./), expect.stringMatching(/^fd00:10:96::/)],
        ipFamilies: ['IPv4', 'IPv6'],
        ipFamilyPolicy: 'RequireDualStack',
      },
    ],
    [
      'two in its own order',
      DUAL,
      { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] },
      { clusterIPs: [expect.stringMatching(/^fd00/), expect.stringMatching(/^10/)], ipFamilies: ['IPv6', 'IPv4'] },
    ],
    [
      'one of the other family',
      DUAL,
      { clusterIP: 'fd00:10:96::7' },
      { clusterIPs: ['fd00:10:96::7'], ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
    ],
  ])('are %s', async (_, ranges, spec, expected) => {
    await open(ranges);
    const made = await create('s', spec);
    expect(made).toMatchObject(expected);
    expect(made['clusterIP']).toBe((made.clusterIPs ?? [])[0]);
    const held = (made.clusterIPs ?? []).filter((address) => address !== 'None');
    expect((await claimed(IP_ADDRESSES)).sort()).toEqual([...held].sort());
  });

  test('are none of one elsewhere', async () => {
    const made = await create('s', { type: 'ExternalName', externalName: 'db.example.com' });
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['clusterIP']));
    expect(made['ipFamilies']).toBeUndefined();
  });

  const single = 'this cluster is not configured for dual-stack services';
  test.each<[string, Spec, string]>([
    [
      'beyond the range',
      { clusterIP: '1.2.3.4' },
      'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided network does not match the current range',
    ],
    [
      'of the network itself',
      { clusterIP: '10.96.0.0' },
      'spec.clusterIPs: Invalid value: ["10.96.0.0"]: failed to allocate IP 10.96.0.0: the provided IP (10.96.0.0) is not in the valid range. The range of valid IPs is 10.96.0.0/12',
    ],
    [
      'that is taken',
      { clusterIP: '10.96.0.7' },
      'spec.clusterIPs: Invalid value: ["10.96.0.7"]: failed to allocate IP 10.96.0.7: provided IP is already allocated',
    ],
    [
      'of a family that the cluster does not have',
      { clusterIP: 'fd00::7' },
      'spec.clusterIPs[0]: Invalid value: ["fd00::7"]: IPv6 is not configured on this cluster',
    ],
    [
      'in a family that the cluster does not have',
      { ipFamilies: ['IPv6'] },
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
    [
      'of both families',
      { ipFamilyPolicy: 'RequireDualStack' },
      `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": ${single}`,
    ],
    [
      'of two families by one policy',
      { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] },
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
    [
      'that is malformed',
      { clusterIP: '10.96.0' },
      'spec.clusterIPs[0]: Invalid value: "10.96.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    // As in Kubernetes, nothing else is said of such a Service.
    [
      'beyond the range, without ports',
      { clusterIP: '1.2.3.4', ports: [] },
      'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided network does not match the current range',
    ],
  ])('%s are refused', async (_, spec, error) => {
    await create('first', { clusterIP: '10.96.0.7' });
    expect(await refuse('second', spec)).toBe(invalid('second', error));
    expect(await claimed(IP_ADDRESSES)).toEqual(['10.96.0.7']);
  });

  test('are all of a range, and then no more', async () => {
    await open({ clusterIps: '10.96.0.0/29' });
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => create(name)));
    expect(new Set(made.map((spec) => spec['clusterIP'])).size).toBe(6);
    expect(await refuse('g')).toBe(
      'InternalError: Internal error occurred: failed to allocate a serviceIP: range is full',
    );
  });

  test('belong to it in the eyes of clients, until it is deleted', async () => {
    await create('s', { clusterIP: '10.96.0.7' });
    const address = await registry.get({ resource: IP_ADDRESSES, namespace: '', name: '10.96.0.7' });
    expect(address).toMatchObject({
      kind: 'IPAddress',
      metadata: {
        labels: {
          'ipaddress.kubernetes.io/ip-family': 'IPv4',
          'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
        },
      },
      spec: { parentRef: { resource: 'services', namespace: 'ns', name: 's' } },
    });
    await registry.delete(keyOf('s'));
    expect(await claimed(IP_ADDRESSES)).toEqual([]);
    expect(await create('other', { clusterIP: '10.96.0.7' })).toMatchObject({ clusterIP: '10.96.0.7' });
  });

  test('are not claimed by a dry run, nor by a Service that is refused', async () => {
    const dry = { type: 'NodePort', clusterIP: '10.96.0.7' };
    expect((await registry.create('services', service('s', dry), { dryRun: true })).status).toBe('stored');
    expect(await refuse('s', { ...dry, sessionAffinity: 'x' })).toContain('spec.sessionAffinity');
    await create('taken');
    const before = await claimed(IP_ADDRESSES);
    expect(await refuse('taken', dry)).toContain('AlreadyExists');
    expect([await claimed(IP_ADDRESSES), await claimed(NODE_PORTS)]).toEqual([before, []]);
  });
});

describe('the node ports of a Service', () => {
  const inRange = (port: unknown) => Number(port) >= 30_000 && Number(port) <= 32_767;
  const several = [
    { port: 80, name: 'a' },
    { port: 443, name: 'b' },
  ];
  test.each<[string, Spec, boolean]>([
    ['NodePort', {}, true],
    ['LoadBalancer', {}, true],
    ['LoadBalancer', { allocateLoadBalancerNodePorts: false }, false],
    ['ClusterIP', {}, false],
  ])('of type %s %j are chosen: %s', async (type, more, chosen) => {
    const ports = portsOf(await create('s', { type, ports: several, ...more }));
    expect(ports.every(chosen ? inRange : (port) => port === undefined)).toBe(true);
    expect(new Set(await claimed(NODE_PORTS))).toEqual(new Set(chosen ? ports.map(String) : []));
  });

  test('are one for all protocols of a number', async () => {
    const ports = [
      { port: 53, name: 't' },
      { port: 53, name: 'u', protocol: 'UDP', nodePort: 30_053 },
      { port: 54, name: 'x' },
    ];
    const [first, second, third] = portsOf(await create('dns', { type: 'NodePort', ports }));
    expect([first, second]).toEqual([30_053, 30_053]);
    expect(third).not.toBe(30_053);
  });

  test.each<[string, Spec, string]>([
    [
      'taken',
      { ports: [{ port: 80, nodePort: 30_080 }] },
      'spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    ],
    [
      'beyond the range',
      { ports: [{ port: 80, nodePort: 80 }] },
      'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
    [
      'asked for twice',
      {
        ports: [
          { port: 80, nodePort: 30_001, name: 'a' },
          { port: 81, nodePort: 30_001, name: 'b' },
        ],
      },
      'spec.ports[1].nodePort: Invalid value: 30001: provided port is already allocated',
    ],
  ])('are refused if they are %s', async (_, spec, error) => {
    await create('first', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] });
    expect(await refuse('second', { type: 'NodePort', ...spec })).toBe(invalid('second', error));
    expect(await claimed(NODE_PORTS)).toEqual(['30080']);
  });

  test('are all of a range, and then no more', async () => {
    await open({ nodePorts: '30000-30001' });
    await create('s', { type: 'NodePort', ports: several });
    expect(await refuse('t', { type: 'NodePort' })).toBe(
      'InternalError: Internal error occurred: failed to allocate a nodePort: range is full',
    );
    expect((await claimed(IP_ADDRESSES)).length).toBe(1);
  });

  test('stay when a client leaves them out, and go with the type', async () => {
    const [before] = portsOf(await create('s', { type: 'NodePort' }));
    expect(portsOf(specOf(stored(await change('s', { ports: PORTS }))))).toEqual([before]);
    expect(portsOf(specOf(stored(await change('s', { type: 'ClusterIP' }))))).toEqual([undefined]);
    expect(await claimed(NODE_PORTS)).toEqual([]);
    const [again] = portsOf(specOf(stored(await change('s', { type: 'NodePort' }))));
    expect(inRange(again)).toBe(true);
    expect(await claimed(NODE_PORTS)).toEqual([String(again)]);
  });

  test('include one for the health checks of a load balancer with local traffic', async () => {
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    const made = await create('s', local);
    expect(inRange(made['healthCheckNodePort'])).toBe(true);
    expect((await claimed(NODE_PORTS)).length).toBe(2);
    expect(await refuse('t', { ...local, healthCheckNodePort: made['healthCheckNodePort'] })).toBe(
      `InternalError: Internal error occurred: failed to allocate requested HealthCheck NodePort ${String(made['healthCheckNodePort'])}: provided port is already allocated`,
    );
    const changed = stored(await change('s', { externalTrafficPolicy: 'Cluster' }));
    expect(specOf(changed)['healthCheckNodePort']).toBeUndefined();
    expect((await claimed(NODE_PORTS)).length).toBe(1);
  });
});

describe('a changed Service', () => {
  test('gets a second address, and gives it back', async () => {
    await open(DUAL);
    const { clusterIP } = await create('s');
    const dual = specOf(stored(await change('s', { ipFamilyPolicy: 'PreferDualStack' })));
    expect(dual).toMatchObject({
      clusterIPs: [clusterIP, expect.stringMatching(/^fd00/)],
      ipFamilies: ['IPv4', 'IPv6'],
    });
    expect((await claimed(IP_ADDRESSES)).length).toBe(2);
    const single = specOf(stored(await change('s', { ipFamilyPolicy: 'SingleStack' })));
    expect(single).toMatchObject({ clusterIPs: [clusterIP], ipFamilies: ['IPv4'] });
    expect(await claimed(IP_ADDRESSES)).toEqual([clusterIP]);
  });

  test('gives its address back for a name elsewhere, and gets one again', async () => {
    await create('s');
    stored(await change('s', { type: 'ExternalName', externalName: 'db.example.com' }));
    expect(await claimed(IP_ADDRESSES)).toEqual([]);
    const again = specOf(stored(await change('s', { type: 'ClusterIP', externalName: undefined })));
    expect(await claimed(IP_ADDRESSES)).toEqual([again['clusterIP']]);
  });

  test('keeps its address, whatever a client says', async () => {
    await create('s', { clusterIP: '10.96.0.7' });
    expect(refusal(await change('s', { clusterIP: '10.96.0.8' }))).toBe(
      invalid('s', 'spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set'),
    );
    expect(specOf(stored(await change('s', { clusterIP: undefined, clusterIPs: undefined })))['clusterIPs']).toEqual([
      '10.96.0.7',
    ]);
    expect(await claimed(IP_ADDRESSES)).toEqual(['10.96.0.7']);
  });

  test('that was stored before there were claims keeps what it has, and gets what it lacks', async () => {
    const old = {
      ...service('s', {
        clusterIP: '10.96.0.7',
        clusterIPs: ['10.96.0.7'],
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: false,
        sessionAffinity: 'None',
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      }),
    };
    const metadata = { ...old.metadata, uid: 'u', resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
    await store.create('services', { ...old, metadata });
    expect(await refuse('t', { clusterIP: '10.96.0.7' })).toContain('provided IP is already allocated');
    expect(specOf(stored(await change('s', { selector: { app: 'other' } })))).toMatchObject({
      clusterIPs: ['10.96.0.7'],
      healthCheckNodePort: expect.any(Number),
      ipFamilies: ['IPv4'],
    });
  });

  test('is created by a PUT, as Kubernetes creates it', async () => {
    const made = stored(await registry.update('services', service('s') as unknown as KubernetesObject));
    expect(specOf(made)['clusterIP']).toEqual(expect.any(String));
  });
});

describe('what a crash leaves over', () => {
  const leave = async () => {
    const [object] = [await registry.get(keyOf('s'))];
    await store.remove(
      { resource: 'services', namespace: 'ns', name: 's' },
      { uid: (object as KubernetesObject).metadata.uid },
    );
  };
  test('is taken for a Service on its way for a minute, and then given to others', async () => {
    await create('s', { clusterIP: '10.96.0.7' });
    await leave();
    expect(await refuse('t', { clusterIP: '10.96.0.7' })).toContain('provided IP is already allocated');
    clock.advanceTo(clock.now() + 61_000);
    expect(await create('t', { clusterIP: '10.96.0.7' })).toMatchObject({ clusterIP: '10.96.0.7' });
  });

  const range = [30_000, 30_001, 30_002, 30_003, 30_004, 30_005, 30_006];
  const left = (free: readonly number[]) => range.filter((port) => !free.includes(port));
  const pairs = range.flatMap((first) => range.filter((second) => second > first).map((second) => [first, second]));
  test.each(pairs)(
    'makes a Service choose other node ports, and never one for two uses: %d and %d',
    async (...free) => {
      await open({ nodePorts: '30000-30006' });
      for (const nodePort of left(free)) {
        await create('s', { type: 'NodePort', ports: [{ port: 80, nodePort }] });
        await leave();
      }
      // What is chosen depends on the name.
      for (const name of ['t', 'u', 'v']) {
        const made = await create(name, { type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
        expect(new Set([...portsOf(made), made['healthCheckNodePort']])).toEqual(new Set(free));
        await registry.delete(keyOf(name));
      }
    },
  );

  test('is never what belongs to something else', async () => {
    const gateway = { group: 'gateway.networking.k8s.io', resource: 'gateways', namespace: 'ns', name: 'g' };
    stored(
      await registry.create(IP_ADDRESSES, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata: { name: '10.96.0.7' },
        spec: { parentRef: gateway },
      }),
    );
    clock.advanceTo(clock.now() + 3_600_000);
    expect(await refuse('t', { clusterIP: '10.96.0.7' })).toContain('provided IP is already allocated');
  });
});

test.each<[() => unknown, string]>([
  [() => parseClusterIpRanges('10.96.0.0'), 'must be a range such as 10.96.0.0/12, not 10.96.0.0'],
  [() => parseClusterIpRanges('10.96.0.1/12'), 'must be a range such as 10.96.0.0/12, not 10.96.0.1/12'],
  [() => parseClusterIpRanges('10.0.0.0/8'), 'must have between 4 and 2^20 addresses, not 10.0.0.0/8'],
  [() => parseClusterIpRanges('10.96.0.0/31'), 'must have between 4 and 2^20 addresses, not 10.96.0.0/31'],
  [
    () => parseClusterIpRanges('10.96.0.0/24,10.97.0.0/24'),
    'must be ranges of different families, not 10.96.0.0/24,10.97.0.0/24',
  ],
  [() => parseNodePortRange('30000'), 'must be two ports such as 30000-32767, not 30000'],
  [() => parseNodePortRange('30001-30000'), 'must be two ports such as 30000-32767, not 30001-30000'],
])('%s is refused: %s', (parse, message) => {
  expect(parse).toThrow(new TypeError(message));
});
