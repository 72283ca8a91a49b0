import type { TableRules } from '../ResourceEntry.ts';

/** The table of a resource that has no columns of its own: its name and when it was created. */
export const defaultTable: TableRules = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
};
