import {
  KEY_ITEMS_TABLE,
  LOG_TABLE,
  NAMESPACES_TABLE,
  OBJECTS_TABLE,
  type TableDefinition,
  VERSIONS_TABLE,
} from '../../lambdas/adapters/aws/tables.ts';

export type TableName = 'objects' | 'versions' | 'namespaces' | 'log' | 'keys';

/** The stack's tables, as their adapters define them. */
export const TABLES: Readonly<Record<TableName, TableDefinition>> = {
  objects: OBJECTS_TABLE,
  versions: VERSIONS_TABLE,
  namespaces: NAMESPACES_TABLE,
  log: LOG_TABLE,
  keys: KEY_ITEMS_TABLE,
};
