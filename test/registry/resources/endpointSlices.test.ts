import { expect, test } from 'vitest';
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
  const endpoints = [1, 2, 3, 4].map((last) => ({ addresses: [`10.0.0.${last}`] }));
  expect(rowOf(endpointSlices, slice({ endpoints, ports: [{ port: 80 }, { name: 'any' }] }))).toEqual({
    Name: 'x',
    AddressType: 'IPv4',
    Ports: '80,*',
    Endpoints: '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...',
    Age: '60s',
  });
});
