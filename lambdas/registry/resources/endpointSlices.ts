import { isIPv4, isIPv6 } from 'node:net';
import type { EndpointPort, EndpointSlice as ApiEndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { fillAbsent, itemDrafts } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  type Check,
  distinct,
  dnsLabel,
  enumOf,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
} from '../validation/checks.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';

type EndpointSlice = Stored<ApiEndpointSlice>;

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
/** The number of ports and of addresses that are shown; the rest are counted. */
const SHOWN = 3;

function atMostItems(most: number): Check {
  return (value, path) =>
    Array.isArray(value) && value.length > most
      ? [{ type: 'FieldValueTooMany', field: path, badValue: value.length, detail: `must have at most ${most} items` }]
      : [];
}

/** The addresses of each type. */
const ADDRESSES: Readonly<Record<string, Check>> = {
  IPv4: (value, path) => (isIPv4(textOf(value)) ? [] : [invalid(path, value, 'must be a valid IPv4 address')]),
  IPv6: (value, path) => (isIPv6(textOf(value)) ? [] : [invalid(path, value, 'must be a valid IPv6 address')]),
  FQDN: format(isDns1123Subdomain),
};

const endpoints: Check = (value, path) => {
  const { addressType, endpoints: given } = fieldsOf<ApiEndpointSlice>(value);
  const address = ADDRESSES[textOf(addressType)] ?? (() => []);
  const addresses = nonEmptyList('must contain at least 1 address', all(atMostItems(MAX_ADDRESSES), items(address)));
  const endpoint = fields({ addresses, hostname: ifPresent(dnsLabel) });
  return all(atMostItems(MAX_ENDPOINTS), items(endpoint))(given, path === '' ? 'endpoints' : `${path}.endpoints`);
};

const nameOf = (port: unknown) => textOf(fieldsOf<EndpointPort>(port).name);
const protocol = nonEmptyText('', enumOf('SCTP', 'TCP', 'UDP'));
const port: Check = fields({
  name: (value, path) => (textOf(value) === '' ? [] : dnsLabel(value, path)),
  protocol,
});

/** Prints the first of a list and counts the others. */
function listCell(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>';
  const more = texts.length > SHOWN ? ` + ${texts.length - SHOWN} more...` : '';
  return `${texts.slice(0, SHOWN).join(',')}${more}`;
}

function contentChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  return ['endpoints', 'ports', 'addressType'].some((field) => !jsonEqual(object[field], old[field]));
}

export const endpointSlices = defineResource({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  namespaced: true,
  applyDefaults(draft) {
    for (const one of itemDrafts(draft, 'ports')) fillAbsent(one, 'name', '');
  },
  defaults: { 'ports[].protocol': 'TCP' },
  check: all(
    fields({ addressType: nonEmptyText('', enumOf('FQDN', 'IPv4', 'IPv6')) }),
    endpoints,
    fields({ ports: all(atMostItems(MAX_PORTS), items(port), distinct(nameOf, '.name')) }),
  ),
  immutable: ['addressType'],
  strategy: { generationChanges: contentChanged },
  table: tableOf<EndpointSlice>(
    nameCell,
    cell('AddressType', 'The type of its addresses.', ({ addressType }) => addressType),
    cell('Ports', 'The ports of every endpoint.', ({ ports }) =>
      listCell((ports ?? []).map(({ port: number }) => (number === undefined ? '*' : String(number)))),
    ),
    cell('Endpoints', 'The addresses of the endpoints.', (it) =>
      listCell((it.endpoints ?? []).flatMap(({ addresses }) => addresses)),
    ),
    ageCell,
  ),
});
