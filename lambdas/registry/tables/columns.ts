import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { formatLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { TableColumn, TableRules } from '../ResourceEntry.ts';

/** A column that is always shown. */
export function column(name: string, description: string, type: TableColumn['type'] = 'string'): TableColumn {
  return { name, type, description, priority: 0 };
}

/** A column that is shown with `-o wide`. */
export function wideColumn(name: string, description: string): TableColumn {
  return { name, type: 'string', description, priority: 1 };
}

/** The column of names; clients recognise it by its format. */
export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name, unique among the resources of this kind in one namespace.',
  priority: 0,
};

export const ageColumn = column('Age', 'How long ago the object was created.');

/** The table of a resource without columns of its own: the name and the time of creation. */
export const defaultTable: TableRules = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
};

/** The columns of a workload about its pod template and its selector. */
export const templateColumns = [
  wideColumn('Containers', 'The names of the containers in the pod template.'),
  wideColumn('Images', 'The images of the containers in the pod template.'),
  wideColumn('Selector', 'Which pods belong to the object, by their labels.'),
];

/** Returns the cells of Containers and Images. */
export function templateCells(template: PodTemplateSpec | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}

const NONE = '<none>';

/** Prints labels as kubectl does, sorted by key: `app=web,tier=front`, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([key, value]) => `${key}=${value}`).join(',') || NONE;
}

/** Prints a label selector as kubectl does, sorted by key: `app=web,tier in (a,b),!legacy`; `empty` if it has no requirement. */
export function formatSelector(selector: LabelSelector | undefined, empty = NONE): string {
  return formatLabelSelector(selector) || empty;
}
