import type { Endpoints, EndpointSubset } from 'kubernetes-types/core/v1.js';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { validateEndpoints, validateEndpointsUpdate } from '../validation/network/validateEndpoints.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { STANDARD_VERBS } from './standardRules.ts';

/** The number of endpoints that are shown; the rest are counted. */
const SHOWN = 3;

const endpointsTable: TableRules = {
  columns: [nameColumn, column('Endpoints', 'The addresses and ports behind the service.'), ageColumn],
  cells(object, nowMs) {
    const all = ((object as Endpoints).subsets ?? []).flatMap(endpointsOf);
    const more = all.length > SHOWN ? ` + ${all.length - SHOWN} more...` : '';
    const shown = all.slice(0, SHOWN).join(',');
    return [object.metadata.name, `${shown}${more}` || '<none>', ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

function endpointsOf({ addresses = [], ports = [] }: EndpointSubset): string[] {
  if (ports.length === 0) return addresses.map(({ ip }) => ip);
  return ports.flatMap(({ port }) =>
    addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}

export const endpoints: ResourceEntry = {
  groupResource: 'endpoints',
  group: '',
  plural: 'endpoints',
  singular: 'endpoints',
  kind: 'Endpoints',
  shortNames: ['ep'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: (draft) => fillDefaults(draft, { 'subsets[].ports[].protocol': 'TCP' }) }],
  strategy: {
    allowCreateOnUpdate: true,
    validate: validateEndpoints,
    validateUpdate: validateEndpointsUpdate,
  },
  table: endpointsTable,
};
