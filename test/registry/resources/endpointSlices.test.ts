import { expect, test } from 'vitest';
import { endpoints } from '../../../lambdas/registry/resources/endpoints.ts';
import { endpointSlices } from '../../../lambdas/registry/resources/endpointSlices.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const slice = (members: Members = {}): Members => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }],
  ...members,
});

test('an EndpointSlice gets the defaults of discovery.k8s.io/v1', () => {
  expect(objectOf(endpointSlices, slice({ ports: [{ port: 80 }] }))['ports']).toEqual([
    { name: '', port: 80, protocol: 'TCP' },
  ]);
});

// The rows follow pkg/apis/discovery/validation.
test.each<[string, Members, string[]]>([
  ['with an address (valid)', slice(), []],
  ['without a type', { endpoints: [] }, ['addressType: Required value']],
  [
    'of an unknown type',
    { addressType: 'IPX' },
    ['addressType: Unsupported value: "IPX": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  [
    'with an endpoint without addresses',
    slice({ endpoints: [{}] }),
    ['endpoints[0].addresses: Required value: must contain at least 1 address'],
  ],
  [
    'with an address of another type',
    slice({ endpoints: [{ addresses: ['fd00::1'] }] }),
    ['endpoints[0].addresses[0]: Invalid value: "fd00::1": must be a valid IPv4 address'],
  ],
  [
    'with what is no address',
    slice({ endpoints: [{ addresses: ['a.b'] }] }),
    [
      'endpoints[0].addresses[0]: Invalid value: "a.b": must be a valid IPv4 address',
      'endpoints[0].addresses[0]: Invalid value: "a.b": must be a valid IP address',
    ],
  ],
  ...(
    [
      ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
      ['127.1.2.3', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
      ['169.254.9.9', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
      ['224.0.0.5', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ] as const
  ).map(([address, why]): [string, Members, string[]] => [
    `with an address that others cannot reach: ${address}`,
    slice({ endpoints: [{ addresses: [address] }] }),
    [`endpoints[0].addresses[0]: Invalid value: "${address}": ${why}`],
  ]),
  [
    'of names, one without a domain',
    slice({ addressType: 'FQDN', endpoints: [{ addresses: ['web.example.com.', 'web'] }] }),
    [
      'endpoints[0].addresses[1]: Invalid value: "web": should be a domain with at least two segments separated by dots',
    ],
  ],
  [
    'with an invalid node, hints and labels',
    slice({
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          nodeName: 'N',
          deprecatedTopology: { 'a b': 'c' },
          hints: { forZones: [{ name: 'a' }, { name: 'a' }] },
        },
      ],
    }),
    [
      `endpoints[0].nodeName: Invalid value: "N": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      `endpoints[0].deprecatedTopology: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    ],
  ],
  [
    'with too many hints',
    slice({
      endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: Array.from({ length: 9 }, () => ({ name: 'a' })) } }],
    }),
    ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
  ],
  [
    'with a protocol of its application that has no name',
    slice({ ports: [{ port: 80, appProtocol: 'a b' }] }),
    [
      `ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  ],
  [
    'with two ports of one name',
    slice({ ports: [{ port: 80 }, { port: 81 }] }),
    ['ports[1].name: Duplicate value: ""'],
  ],
  [
    'with an unknown protocol',
    slice({ ports: [{ port: 80, protocol: 'ICMP' }] }),
    ['ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
])('an EndpointSlice %s', (_, members, messages) => {
  expect(createErrors(endpointSlices, members)).toEqual(messages);
});

test('an EndpointSlice keeps its type, and is printed', () => {
  expect(updateErrors(endpointSlices, { addressType: 'FQDN' }, { addressType: 'IPv4' })).toEqual([
    'addressType: Invalid value: "FQDN": field is immutable',
  ]);
  const many = [1, 2, 3, 4].map((last) => ({ addresses: [`10.0.0.${last}`] }));
  expect(rowOf(endpointSlices, slice({ endpoints: many, ports: [{ port: 80 }, { name: 'any' }] }))).toEqual({
    Name: 'x',
    AddressType: 'IPv4',
    Ports: '80,*',
    Endpoints: '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...',
    Age: '60s',
  });
});

const subset = (members: Members = {}) => ({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ...members }] });

test('Endpoints get TCP as the protocol of their ports', () => {
  expect(objectOf(endpoints, subset({ ports: [{ port: 80 }] }))['subsets']).toMatchObject([
    { ports: [{ port: 80, protocol: 'TCP' }] },
  ]);
});

test.each<[string, Members, string[]]>([
  ['with an address (valid)', subset({ ports: [{ port: 80 }] }), []],
  [
    'without addresses',
    { subsets: [{ ports: [{ port: 80 }] }] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    'with an invalid address',
    subset({ addresses: [{ ip: 'x' }] }),
    [
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
    ],
  ],
  [
    'with an address of this machine that is not ready',
    subset({ notReadyAddresses: [{ ip: '::1' }] }),
    [
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  ],
  [
    'with two ports, one without a name',
    subset({ ports: [{ name: 'a', port: 80 }, { port: 81 }] }),
    ['subsets[0].ports[1].name: Required value'],
  ],
  [
    'with an invalid port, and an unknown protocol',
    subset({ ports: [{ port: 0, protocol: 'ICMP' }] }),
    [
      'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'subsets[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ],
  ],
])('Endpoints %s', (_, members, messages) => {
  expect(createErrors(endpoints, members)).toEqual(messages);
});

test('Endpoints keep subsets that are older than the rules', () => {
  const old = subset({ addresses: [{ ip: '127.0.0.1' }] });
  expect(updateErrors(endpoints, old, old)).toEqual([]);
  expect(updateErrors(endpoints, subset({ addresses: [{ ip: '127.0.0.2' }] }), old)).toHaveLength(1);
});
