import { describe, expect, test } from 'vitest';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { services } from '../../../lambdas/registry/resources/services.ts';
import { createErrors, objectOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

type Spec = Record<string, unknown>;

const PORT = { name: 'p', port: 8675, protocol: 'TCP', targetPort: 8675 };
const VALID: Spec = { ports: [PORT], selector: { key: 'val' } };
const ADDRESS = { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'] };
const NONE = { clusterIP: 'None', clusterIPs: ['None'] };
const BALANCED = { type: 'LoadBalancer' };
const EXTERNAL = { type: 'ExternalName', externalName: 'db.example.com', ports: [] };
const SOURCES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

const ports = (...changes: Spec[]) => ({ ports: changes.map((change) => ({ ...PORT, ...change })) });
const affinity = (clientIP?: unknown) => ({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP } });
const balancedOnly = (field: string) => `${field}: Forbidden: may only be used when \`type\` is 'LoadBalancer'`;
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const RANGE = 'must be between 1 and 65535, inclusive';
const twice = (port: number) =>
  `Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`;

describe('a new Service', () => {
  test.each<[string, Spec, string[]]>([
    ['with an address (valid)', ADDRESS, []],
    ['that asks for nothing (valid)', {}, []],
    ['without ports', { ports: [] }, ['spec.ports: Required value']],
    ['without ports that is headless (valid)', { ports: [], ...NONE }, []],
    ['without ports of type ExternalName (valid)', EXTERNAL, []],
    [
      'of an unknown type',
      { type: 'bogus', internalTrafficPolicy: 'Cluster' },
      [
        'spec.type: Unsupported value: "bogus": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'with an invalid selector',
      { selector: { NoUppercaseOrSpecialCharsLike_Equals: 'b=c' } },
      [
        `spec.selector: Invalid value: "b=c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
  ])('%s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...change } })).toEqual(errors);
  });

  test.each<[string, Spec, string[]]>([
    ['one without a name (valid)', ports({ name: '' }), []],
    [
      'several without names',
      ports({ name: '' }, { name: '', port: 1 }),
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    ['a name that is no label', ports({ name: 'INVALID' }), [`spec.ports[0].name: Invalid value: "INVALID": ${LABEL}`]],
    ['a name twice', ports({}, { port: 1 }), ['spec.ports[1].name: Duplicate value: "p"']],
    ['port 0', ports({ port: 0, targetPort: 1 }), [`spec.ports[0].port: Invalid value: 0: ${RANGE}`]],
    ['port 65536', ports({ port: 65_536 }), [`spec.ports[0].port: Invalid value: 65536: ${RANGE}`]],
    [
      'an unknown protocol',
      ports({ protocol: 'INVALID' }),
      ['spec.ports[0].protocol: Unsupported value: "INVALID": supported values: "SCTP", "TCP", "UDP"'],
    ],
    ['target port 65536', ports({ targetPort: 65_536 }), [`spec.ports[0].targetPort: Invalid value: 65536: ${RANGE}`]],
    [
      'a target port of no valid name',
      ports({ targetPort: 'two--hyphens' }),
      ['spec.ports[0].targetPort: Invalid value: "two--hyphens": must not contain consecutive hyphens'],
    ],
    ['a target port by name (valid)', ports({ targetPort: 'http' }), []],
    ['an application protocol (valid)', ports({ appProtocol: 'kubernetes.io/h2c' }), []],
    [
      'a malformed application protocol',
      ports({ appProtocol: 'a/b/c' }),
      [
        "spec.ports[0].appProtocol: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      ],
    ],
    [
      'a node port of a ClusterIP',
      ports({ nodePort: 30_080 }),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'a node port twice',
      { type: 'NodePort', ...ports({ nodePort: 30_080 }, { name: 'q', port: 1, nodePort: 30_080 }) },
      ['spec.ports[1].nodePort: Duplicate value: 30080'],
    ],
    [
      'a node port for two protocols (valid)',
      {
        type: 'NodePort',
        ...ports({ nodePort: 30_080 }, { name: 'q', protocol: 'UDP', nodePort: 30_080 }),
      },
      [],
    ],
    ['a number twice', ports({}, { name: 'q' }), [`spec.ports[1]: ${twice(8675)}`]],
    ['a number for two protocols (valid)', ports({}, { name: 'q', protocol: 'UDP' }), []],
  ])('with ports: %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } })).toEqual(errors);
  });

  const seconds = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value';
  test.each<[string, Spec, string[]]>([
    [
      'is unknown',
      { sessionAffinity: 'INVALID' },
      ['spec.sessionAffinity: Unsupported value: "INVALID": supported values: "ClientIP", "None"'],
    ],
    ['lasts for a day (valid)', affinity({ timeoutSeconds: 86_400 }), []],
    [
      'lasts for longer',
      affinity({ timeoutSeconds: 100_000 }),
      [`${seconds}: 100000: must be greater than 0 and less than 86400`],
    ],
    [
      'lasts for no time',
      affinity({ timeoutSeconds: 0 }),
      [`${seconds}: 0: must be greater than 0 and less than 86400`],
    ],
  ])('whose session affinity %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } })).toEqual(errors);
  });

  test.each<[string, Spec, string[]]>([
    [
      'None of a LoadBalancer',
      { ...NONE, ...BALANCED },
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services'],
    ],
    [
      'None of a NodePort',
      { ...NONE, type: 'NodePort' },
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    ['clusterIP without clusterIPs', { clusterIP: '10.96.0.7' }, ['spec.clusterIPs: Required value']],
    [
      'clusterIPs without clusterIP',
      { clusterIPs: ['10.96.0.7'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.7"]: must be empty when `clusterIP` is not specified'],
    ],
    [
      'two that differ',
      { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.7'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.7"]: first value must match `clusterIP`'],
    ],
    [
      'no address',
      { clusterIP: 'invalid', clusterIPs: ['invalid'] },
      [`spec.clusterIPs[0]: Invalid value: "invalid": ${IP}`],
    ],
    [
      'leading zeros',
      { clusterIP: '010.096.0.7', clusterIPs: ['010.096.0.7'] },
      ['spec.clusterIPs[0]: Invalid value: "010.096.0.7": must not have leading 0s'],
    ],
    [
      'an IPv4 address in the form of IPv6',
      { clusterIP: '::ffff:10.96.0.7', clusterIPs: ['::ffff:10.96.0.7'] },
      ['spec.clusterIPs[0]: Invalid value: "::ffff:10.96.0.7": must not be an IPv4-mapped IPv6 address'],
    ],
    [
      'None and an address',
      { clusterIP: 'None', clusterIPs: ['None', '10.96.0.7'] },
      ['spec.clusterIPs: Invalid value: ["None","10.96.0.7"]: \'None\' must be the first and only value'],
    ],
    [
      'an address and None',
      { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'None'] },
      [`spec.clusterIPs[1]: Invalid value: "None": ${IP}`],
    ],
    [
      'three',
      { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'fd00::1', '10.96.0.8'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.7","fd00::1","10.96.0.8"]: may only hold up to 2 values'],
    ],
    [
      'two of one family',
      { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', '10.96.0.8'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.7","10.96.0.8"]: may specify no more than one IP for each IP family'],
    ],
    [
      'both families (valid)',
      { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'] },
      [],
    ],
    [
      'another family than is named',
      { ...ADDRESS, ipFamilies: ['IPv6'] },
      ['spec.clusterIPs[0]: Invalid value: "10.96.0.7": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'an unknown family',
      { ...ADDRESS, ipFamilies: ['IPv9'] },
      ['spec.ipFamilies[0]: Unsupported value: "IPv9": supported values: "IPv4", "IPv6"'],
    ],
    ['a family twice', { ...ADDRESS, ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1]: Duplicate value: "IPv4"']],
    [
      'an unknown policy',
      { ...ADDRESS, ipFamilyPolicy: 'Both' },
      [
        'spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
  ])('with cluster IPs: %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...change } })).toEqual(errors);
  });

  test.each<[string, Spec, string[]]>([
    [
      'with all that it must not have',
      {
        ...ADDRESS,
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
      ],
    ],
    ['without a name', { externalName: '' }, ['spec.externalName: Required value']],
    ['with a dot at the end (valid)', { externalName: 'db.example.com.' }, []],
    ['with a dot only', { externalName: '.' }, ['spec.externalName: Required value']],
    [
      'with a name that is none',
      { externalName: '-db' },
      [
        `spec.externalName: Invalid value: "-db": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  ])('of type ExternalName %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...EXTERNAL, ...change } })).toEqual(errors);
  });

  const external = (...externalIPs: string[]) => ({ externalIPs });
  test.each<[string, Spec, string[]]>([
    ['a valid one (valid)', external('1.2.3.4'), []],
    ['a name', external('myhost.mydomain'), [`spec.externalIPs[0]: Invalid value: "myhost.mydomain": ${IP}`]],
    [
      'leading zeros',
      external('001.2.3.4'),
      ['spec.externalIPs[0]: Invalid value: "001.2.3.4": must not have leading 0s'],
    ],
    [
      'an unspecified one',
      external('0.0.0.0'),
      ['spec.externalIPs[0]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)'],
    ],
    [
      'a loopback one',
      external('1.2.3.4', '127.0.0.1'),
      ['spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
  ])('with external IPs: %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } })).toEqual(errors);
  });

  const ranges = (...loadBalancerSourceRanges: string[]) => ({ ...BALANCED, loadBalancerSourceRanges });
  const place = 'spec.LoadBalancerSourceRanges';
  test.each<[string, Spec, string[]]>([
    ['padded (valid)', ranges('1.2.3.4/8 '.replace('1.2.3.4', '1.0.0.0'), ' 5.6.0.0/16'), []],
    ['of another type', { ...ranges('1.2.3.0/24'), type: 'ClusterIP' }, [balancedOnly(place)]],
    ['that are none', ranges('foo.bar'), [`${place}[0]: Invalid value: "foo.bar": ${CIDR}`]],
    ['too long', ranges('1.2.3.4/33'), [`${place}[0]: Invalid value: "1.2.3.4/33": ${CIDR}`]],
    [
      'with bits beyond',
      ranges('1.2.3.4/16'),
      [`${place}[0]: Invalid value: "1.2.3.4/16": must not have bits set beyond the prefix length`],
    ],
    [
      'with leading zeros',
      ranges('1.2.3.0/024'),
      [`${place}[0]: Invalid value: "1.2.3.0/024": must not have leading 0s in IP or prefix length`],
    ],
  ])('with source ranges %s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } })).toEqual(errors);
  });

  const annotation = `metadata.annotations[${SOURCES}]`;
  test.each<[string, string, Spec, string[]]>([
    ['of a LoadBalancer (valid)', '1.2.3.0/24,  5.6.0.0/16', BALANCED, []],
    ['that is empty (valid)', '', BALANCED, []],
    ['of another type', '1.2.3.0/24', {}, [balancedOnly(annotation)]],
    ['that is malformed', '1.2.3.4/33', BALANCED, [`${annotation}: Invalid value: "1.2.3.4/33": ${CIDR}`]],
  ])('with source ranges in an annotation %s', (_, text, change, errors) => {
    const annotations = { [SOURCES]: text };
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } }, { annotations })).toEqual(errors);
  });

  const local = { ...BALANCED, externalTrafficPolicy: 'Local' };
  test.each<[string, Spec, string[]]>([
    [
      'that no traffic from outside reaches',
      { externalTrafficPolicy: 'Cluster' },
      ['spec.externalTrafficPolicy: Invalid value: "Cluster": may only be set for externally-accessible services'],
    ],
    ['that external addresses reach (valid)', { externalIPs: ['1.2.3.4'], externalTrafficPolicy: 'Local' }, []],
    [
      'with an unknown policy',
      { type: 'NodePort', externalTrafficPolicy: 'invalid' },
      ['spec.externalTrafficPolicy: Unsupported value: "invalid": supported values: "Cluster", "Local"'],
    ],
    [
      'with a health check that nobody makes',
      { type: 'NodePort', healthCheckNodePort: 32_100 },
      [
        "spec.healthCheckNodePort: Invalid value: 32100: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    ['with local traffic and no health check', local, ['spec.healthCheckNodePort: Required value']],
    [
      'with an impossible health check',
      { ...local, healthCheckNodePort: -1 },
      [`spec.healthCheckNodePort: Invalid value: -1: ${RANGE}`],
    ],
    ['with local traffic (valid)', { ...local, healthCheckNodePort: 32_100 }, []],
    [
      'with an unknown inner policy',
      { internalTrafficPolicy: 'Far' },
      ['spec.internalTrafficPolicy: Unsupported value: "Far": supported values: "Cluster", "Local"'],
    ],
    ['with a class of another type', { loadBalancerClass: 'test.com/test' }, [balancedOnly('spec.loadBalancerClass')]],
    ['with a class (valid)', { ...BALANCED, loadBalancerClass: 'test.com/test' }, []],
    [
      'with a malformed class',
      { ...BALANCED, loadBalancerClass: 'Bad class' },
      [
        "spec.loadBalancerClass: Invalid value: \"Bad class\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
    [
      'with node ports of another type',
      { allocateLoadBalancerNodePorts: false },
      [balancedOnly('spec.allocateLoadBalancerNodePorts')],
    ],
    ['that prefers its node (valid)', { trafficDistribution: 'PreferSameNode' }, []],
    [
      'that prefers something unknown',
      { trafficDistribution: 'Random' },
      [
        'spec.trafficDistribution: Unsupported value: "Random": supported values: "PreferClose", "PreferSameNode", "PreferSameZone"',
      ],
    ],
  ])('%s', (_, change, errors) => {
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS, ...change } })).toEqual(errors);
  });

  test('must not name two modes of topology', () => {
    const annotations = {
      'service.kubernetes.io/topology-mode': 'Auto',
      'service.kubernetes.io/topology-aware-hints': 'Disabled',
    };
    expect(createErrors(services, { spec: { ...VALID, ...ADDRESS } }, { annotations })).toEqual([
      'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "Auto": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
    ]);
  });

  test.each<[string, unknown]>([
    ['no spec', undefined],
    ['a text', 'x'],
    ['lists and numbers', { ports: 7, selector: [1], clusterIPs: {}, ipFamilies: 3, externalIPs: 'x' }],
    ['nulls', { ports: [null], clusterIPs: [null], sessionAffinityConfig: null, loadBalancerSourceRanges: [null] }],
  ])('of any JSON gets errors and no exception: %s', (_, spec) => {
    const object = { ...objectOf(services, { spec: {} }), spec };
    expect(services.strategy.validate?.(object, new RequestBudget())).not.toEqual([]);
  });
});

describe('a change of a Service', () => {
  const dual = { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'fd00::7'], ipFamilies: ['IPv4', 'IPv6'] };
  const single = { ...ADDRESS, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
  const changed = (field: string, shown: string) => `${field}: Invalid value: ${shown}: may not change once set`;
  test.each<[string, Spec, Spec, string[]]>([
    [
      'of its address',
      single,
      { ...single, clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] },
      [changed('spec.clusterIPs[0]', '["10.96.0.8"]')],
    ],
    ['to no address', single, { ...single, ...NONE }, [changed('spec.clusterIPs[0]', '["None"]')]],
    [
      'of its family',
      single,
      { ...single, ipFamilies: ['IPv6'] },
      [
        changed('spec.ipFamilies[0]', '["IPv6"]'),
        'spec.clusterIPs[0]: Invalid value: "10.96.0.7": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    ['to a second address (valid)', single, { ...dual, ipFamilyPolicy: 'PreferDualStack' }, []],
    ['to one address (valid)', { ...dual, ipFamilyPolicy: 'PreferDualStack' }, single, []],
    [
      'to one address without saying so',
      { ...dual, ipFamilyPolicy: 'PreferDualStack' },
      { ...single, ipFamilyPolicy: 'PreferDualStack' },
      [
        'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary clusterIP',
        'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary ipFamily',
      ],
    ],
    ['to a name elsewhere (valid)', single, EXTERNAL, []],
    [
      'of the class of its load balancer',
      { ...single, ...BALANCED, loadBalancerClass: 'a/b' },
      { ...single, ...BALANCED, loadBalancerClass: 'a/c' },
      [changed('spec.loadBalancerClass', '"a/c"')],
    ],
    [
      'from no class to one',
      { ...single, ...BALANCED },
      { ...single, ...BALANCED, loadBalancerClass: 'a/c' },
      [changed('spec.loadBalancerClass', '"a/c"')],
    ],
    [
      'of its health check',
      { ...single, ...BALANCED, externalTrafficPolicy: 'Local', healthCheckNodePort: 30_001 },
      { ...single, ...BALANCED, externalTrafficPolicy: 'Local', healthCheckNodePort: 30_002 },
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
  ])('%s', (_, old, now, errors) => {
    expect(updateErrors(services, { spec: { ...VALID, ...now } }, { spec: { ...VALID, ...old } })).toEqual(errors);
  });

  test.each<[string, Spec]>([
    ['addresses with leading zeros', { externalIPs: ['001.2.3.4'] }],
    ['ranges with bits beyond their length', { ...BALANCED, loadBalancerSourceRanges: ['1.2.3.4/16'] }],
    // No Kubernetes has ever stored these; releases of this server before have.
    ['a node port inside of the cluster', ports({ nodePort: 30_080 })],
    ['an affinity that lasts for too long', affinity({ timeoutSeconds: 100_000 })],
    ['a malformed external address', { externalIPs: ['myhost'] }],
  ])('of something else is possible where it has %s', (_, stored) => {
    const old = { ...VALID, ...single, ...stored };
    expect(updateErrors(services, { spec: { ...old, selector: { key: 'other' } } }, { spec: old })).toEqual([]);
  });

  test('of something else does not let in what is wrong anew', () => {
    const old = { ...VALID, ...single, externalIPs: ['myhost'] };
    expect(updateErrors(services, { spec: { ...old, externalIPs: ['myhost', 'other'] } }, { spec: old })).toEqual([
      `spec.externalIPs[1]: Invalid value: "other": ${IP}`,
    ]);
  });

  const dropped = (now: Spec, old: Spec) => {
    const [object, before] = [now, old].map((spec) => objectOf(services, { spec: { ...VALID, ...spec } }));
    if (!object || !before) throw new Error('two objects were made');
    services.strategy.prepareForUpdate?.(object, before);
    return object['spec'] as Spec;
  };
  const onNodes = { ...single, type: 'NodePort', ...ports({ nodePort: 30_080 }), externalTrafficPolicy: 'Cluster' };
  test.each<[string, Spec, Spec, Spec]>([
    ['node ports', { ...onNodes, type: 'ClusterIP' }, onNodes, { ports: [PORT], externalTrafficPolicy: undefined }],
    [
      'node ports, but not changed ones',
      { ...onNodes, type: 'ClusterIP', ...ports({ nodePort: 30_081 }) },
      onNodes,
      {
        ...ports({ nodePort: 30_081 }),
      },
    ],
    [
      'addresses',
      { ...single, ...EXTERNAL },
      single,
      {
        clusterIP: undefined,
        clusterIPs: undefined,
        ipFamilies: undefined,
        ipFamilyPolicy: undefined,
      },
    ],
    [
      'what only load balancers have',
      {
        ...single,
        ...BALANCED,
        type: 'NodePort',
        loadBalancerClass: 'a/b',
        allocateLoadBalancerNodePorts: true,
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_001,
      },
      { ...single, ...BALANCED, loadBalancerClass: 'a/b', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_001 },
      {
        loadBalancerClass: undefined,
        allocateLoadBalancerNodePorts: undefined,
        healthCheckNodePort: undefined,
        externalTrafficPolicy: 'Local',
      },
    ],
  ])('of its type drops %s', (_, now, old, members) => {
    const spec = dropped(now, old);
    for (const [name, value] of Object.entries(members)) expect(spec[name]).toEqual(value);
  });
});

describe('the status of a Service', () => {
  const ingress = (...each: Spec[]) => ({ loadBalancer: { ingress: each } });
  const path = 'status.loadBalancer.ingress';
  const errorsOf = (status: Spec, type = 'LoadBalancer') => {
    const object = objectOf(services, { spec: { ...VALID, type }, status });
    services.strategy.prepareForStatusUpdate?.(object, object, 0);
    const errors =
      services.strategy.validateStatusUpdate?.(object, objectOf(services, { spec: { type } }), new RequestBudget()) ??
      [];
    return errors.map(({ field, detail }) => `${field}: ${detail}`);
  };
  test.each<[string, Spec, string[]]>([
    ['an address (valid)', ingress({ ip: '1.2.3.4' }), []],
    ['a name (valid)', ingress({ hostname: 'lb.example.com' }), []],
    ['no address', ingress({ ip: 'x' }), [`${path}[0].ip: ${IP}`]],
    [
      'an address as a name',
      ingress({ hostname: '1.2.3.4' }),
      [`${path}[0].hostname: must be a DNS name, not an IP address`],
    ],
    [
      'an unknown mode',
      ingress({ ip: '1.2.3.4', ipMode: 'x' }),
      [`${path}[0].ipMode: supported values: "Proxy", "VIP"`],
    ],
    [
      'a mode without an address',
      ingress({ hostname: 'a', ipMode: 'VIP' }),
      [`${path}[0].ipMode: may not be specified when \`ip\` is not set`],
    ],
  ])('of a LoadBalancer has %s', (_, status, errors) => {
    expect(errorsOf(status)).toEqual(errors);
  });

  test('of another type has no addresses', () => {
    expect(errorsOf(ingress({ ip: '1.2.3.4' }), 'ClusterIP')).toEqual([
      `${path}: may only be used when \`spec.type\` is 'LoadBalancer'`,
    ]);
    expect(statusErrors(services, {})).toEqual([]);
  });
});

describe('the warnings about a Service', () => {
  const warningsOf = (change: Spec, metadata: Spec = {}) =>
    services.strategy.warnings?.(objectOf(services, { spec: { ...VALID, ...change } }, metadata), undefined);
  const ignored = (field: string) => `${field} is ignored for headless services`;
  test.each<[string, Spec, string[]]>([
    ['nothing of a usual one', ADDRESS, []],
    [
      'what is ignored without an address',
      { ...NONE, loadBalancerIP: '1.2.3.4', sessionAffinity: 'ClientIP' },
      [ignored('spec.loadBalancerIP'), ignored('spec.SessionAffinity')],
    ],
    [
      'external addresses',
      { ...ADDRESS, externalIPs: ['1.2.3.4'] },
      ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'],
    ],
    [
      'a name that no type uses',
      { ...ADDRESS, externalName: 'x' },
      ['spec.externalName is ignored when spec.type is not "ExternalName"'],
    ],
    [
      'the old name of a preference',
      { ...ADDRESS, trafficDistribution: 'PreferClose' },
      ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
    ],
    [
      'an odd address',
      { ...ADDRESS, loadBalancerIP: '001.2.3.4' },
      ['spec.loadBalancerIP: non-standard IP address "001.2.3.4" is invalid: use "1.2.3.4"'],
    ],
    [
      'an unusual address',
      { clusterIP: 'FD00:0::1', clusterIPs: ['FD00:0::1'] },
      ['spec.clusterIPs[0]: IPv6 address "FD00:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
    ],
    [
      'an unusual range',
      { ...ADDRESS, ...BALANCED, loadBalancerSourceRanges: ['FD00::/64', '1.2.3.4/16'] },
      [
        'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
        'spec.loadBalancerSourceRanges[1]: CIDR value "1.2.3.4/16" is ambiguous in this context (should be "1.2.0.0/16" or "1.2.3.4/32"?)',
      ],
    ],
  ])('tell %s', (_, change, warnings) => {
    expect(warningsOf(change)).toEqual(warnings);
  });

  test('tell the new name of an annotation', () => {
    expect(warningsOf(ADDRESS, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } })).toEqual([
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    ]);
  });
});
