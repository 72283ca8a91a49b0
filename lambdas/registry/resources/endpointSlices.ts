import type { EndpointPort, EndpointSlice as ApiEndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isDns1123Subdomain, isValidLabelValue } from '../../objects/nameFormats.ts';
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
import { ADDRESSES, appProtocol, protocol } from '../validation/network/endpointChecks.ts';
import { tooMany } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { validateLabels } from '../validation/validateLabels.ts';

type EndpointSlice = Stored<ApiEndpointSlice>;

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
/** The number of ports and of addresses that are shown; the rest are counted. */
const SHOWN = 3;

function atMostItems(most: number): Check {
  return (value, path) => (Array.isArray(value) && value.length > most ? [tooMany(path, value.length, most)] : []);
}

const MAX_HINTS = 8;
const MAX_TOPOLOGY = 16;

/** Hints name each zone or node once. If there are too many, nothing else is said of them. */
function hintsOf(nameErrors: (name: string) => string[]): Check {
  const nameOfHint = (hint: unknown) => textOf(fieldsOf<{ name: string }>(hint).name);
  const each = all(distinct(nameOfHint, '.name'), items(fields({ name: format(nameErrors) })));
  return (value, path) => {
    const tooMany = atMostItems(MAX_HINTS)(value, path);
    return tooMany.length > 0 ? tooMany : each(value, path);
  };
}

const hints = fields({ forZones: hintsOf(isValidLabelValue), forNodes: hintsOf(isDns1123Subdomain) });

/** The labels of a node, which v1 reads and nothing uses any more. */
const topology: Check = (value, path) => {
  const count = Object.keys(fieldsOf<Record<string, string>>(value)).length;
  return [...(count > MAX_TOPOLOGY ? [tooMany(path, count, MAX_TOPOLOGY)] : []), ...validateLabels(value, path)];
};

const endpoints: Check = (value, path) => {
  const { addressType, endpoints: given } = fieldsOf<ApiEndpointSlice>(value);
  const address = ADDRESSES[textOf(addressType)] ?? (() => []);
  const addresses = nonEmptyList('must contain at least 1 address', all(atMostItems(MAX_ADDRESSES), items(address)));
  const endpoint = fields({
    addresses,
    nodeName: ifPresent(format(isDns1123Subdomain)),
    deprecatedTopology: ifPresent(topology),
    hostname: ifPresent(dnsLabel),
    hints: ifPresent(hints),
  });
  const at = path === '' ? 'endpoints' : `${path}.endpoints`;
  const excess = atMostItems(MAX_ENDPOINTS)(given, at);
  return excess.length > 0 ? excess : items(endpoint)(given, at);
};

const nameOf = (port: unknown) => textOf(fieldsOf<EndpointPort>(port).name);
const port: Check = fields({
  name: (value, path) => (textOf(value) === '' ? [] : dnsLabel(value, path)),
  protocol,
  appProtocol,
});

const ports: Check = (value, path) => {
  const excess = atMostItems(MAX_PORTS)(value, path);
  return excess.length > 0 ? excess : all(items(port), distinct(nameOf, '.name'))(value, path);
};

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
  check: all(fields({ addressType: nonEmptyText('', enumOf('FQDN', 'IPv4', 'IPv6')) }), endpoints, fields({ ports })),
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
