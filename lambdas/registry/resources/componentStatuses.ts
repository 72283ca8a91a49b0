import type { ComponentCondition, ComponentStatus } from 'kubernetes-types/core/v1.js';
import { defineResource } from '../defineResource.ts';
import { cell, nameCell, tableOf } from '../tables/tableOf.ts';

function healthOf({ conditions }: ComponentStatus): ComponentCondition | undefined {
  return conditions?.find(({ type }) => type === 'Healthy');
}

/** The health of the components of a control plane with servers. rest/ answers for what does their work here; none is stored. Deprecated since Kubernetes 1.19. */
export const componentStatuses = defineResource({
  group: '',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  namespaced: false,
  virtual: true,
  verbs: ['get', 'list'],
  warning: 'v1 ComponentStatus is deprecated in v1.19+',
  table: tableOf<ComponentStatus>(
    nameCell,
    cell('Status', 'Whether the component is healthy.', (it) =>
      healthOf(it)?.status === 'True' ? 'Healthy' : 'Unhealthy',
    ),
    cell('Message', 'What the component says.', (it) => healthOf(it)?.message ?? ''),
    cell('Error', 'Why its health is not known.', (it) => healthOf(it)?.error ?? ''),
  ),
});
