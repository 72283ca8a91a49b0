import type { ReplicaSet } from '../../objects/kinds.ts';
import { formatSelector } from './formatSelector.ts';
import { replicasTable } from './replicasTable.ts';

export const replicaSetsTable = replicasTable<ReplicaSet>(({ spec }) => formatSelector(spec?.selector));
