import type { TableColumn } from '../ResourceEntry.ts';

/** A column that always shows. */
export function column(name: string, description: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, description, priority: 0 };
}

/** A column that shows with `-o wide`. */
export function wideColumn(name: string, description: string): TableColumn {
  return { name, type: 'string', description, priority: 1 };
}

/** The column of names, which clients recognise by its format. */
export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name, unique among the resources of this kind in one namespace.',
  priority: 0,
};

export const ageColumn = column('Age', 'How long ago the object was created.');
