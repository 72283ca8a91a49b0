import type { ReplicationController } from '../../objects/kinds.ts';
import { formatLabels } from './formatSelector.ts';
import { replicasTable } from './replicasTable.ts';

export const replicationControllersTable = replicasTable<ReplicationController>(({ spec }) =>
  formatLabels(spec?.selector),
);
