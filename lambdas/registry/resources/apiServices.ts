import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';

/** A group version that this server answers itself, as `apiregistration.k8s.io/v1` describes it. */
export interface ApiService extends KubernetesObject {
  spec: { group?: string; version: string; groupPriorityMinimum: number; versionPriority: number };
  status: { conditions: { type: string; status: string; reason: string; message: string }[] };
}

/** The APIServices of the served groups. rest/ makes them of what is served; none is stored, and no other server can be registered. */
export const apiServices = defineResource({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  namespaced: false,
  virtual: true,
  verbs: ['get', 'list'],
  table: tableOf<ApiService>(
    nameCell,
    cell('Service', 'The service that answers.', () => 'Local'),
    cell('Available', 'Whether it answers.', ({ status }) => status.conditions[0]?.status ?? 'Unknown'),
    ageCell,
  ),
});
