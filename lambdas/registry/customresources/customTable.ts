import type { CustomResourceColumnDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { TableColumn, TableRules } from '../ResourceEntry.ts';
import { nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { isSearch, type JsonPath, parseJsonPath, valuesAt } from './jsonPath.ts';

type Cell = string | number | boolean | null;

interface Column {
  readonly column: TableColumn;
  readonly path: JsonPath;
}

/** The column of a version that defines none. */
const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** Makes the table of a version: the name, and its printer columns, or the age. Columns from the first on whose path cannot be parsed are left out, as in Kubernetes. */
export function customTable(definitions: readonly CustomResourceColumnDefinition[] | undefined): TableRules {
  const columns: Column[] = [];
  for (const definition of definitions && definitions.length > 0 ? definitions : [AGE]) {
    const path = parseJsonPath(definition.jsonPath);
    if (!path) break;
    columns.push({ column: columnOf(definition), path });
  }
  return {
    columns: [nameColumn, ...columns.map(({ column }) => column)],
    searches: columns.filter(({ path }) => isSearch(path)).length,
    cells: (object, nowMs) => [object.metadata.name, ...columns.map((column) => cellOf(object, column, nowMs))],
  };
}

function columnOf({ name, type, format = '', description, priority = 0, jsonPath }: CustomResourceColumnDefinition) {
  const text = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type: type as TableColumn['type'], format, description: text, priority };
}

/** The first value at the path, as the column's type shows it; nothing for a value of another type. */
function cellOf(object: KubernetesObject, { column, path }: Column, nowMs: number): Cell {
  const [value] = valuesAt(object, path);
  if (value === undefined || (value === null && column.type !== 'string')) return null;
  switch (column.type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, nowMs) : null;
    case 'string':
      return printed(value);
  }
}

function dateCell(text: string, nowMs: number): string {
  if (text === '') return '<unknown>';
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : ageOf(text, nowMs);
}

/** Go prints nil as `<nil>`, and lists and maps as JSON. */
function printed(value: unknown): string {
  if (value === null) return '<nil>';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
