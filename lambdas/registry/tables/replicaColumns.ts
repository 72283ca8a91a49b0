import { ageColumn, column, nameColumn } from './column.ts';
import { templateColumns } from './templateColumns.ts';

/** The columns of replica sets and of replication controllers. */
export const replicaColumns = [
  nameColumn,
  column('Desired', 'How many pods are wanted.', 'integer'),
  column('Current', 'How many pods there are.', 'integer'),
  column('Ready', 'How many pods are ready.', 'integer'),
  ageColumn,
  ...templateColumns,
];
