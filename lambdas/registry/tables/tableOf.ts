import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { TableColumn, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, templateCells, wideColumn } from './columns.ts';
import { ageOf } from './humanDuration.ts';

type CellValue = string | number | boolean | null;

/** A column with what it shows of an object. */
export interface Cell<T> {
  readonly column: TableColumn;
  of(object: T, nowMs: number): CellValue;
}

/** Makes the rules of a table from its cells, in the order in which kubectl prints them. */
export function tableOf<T>(...cells: readonly Cell<T>[]): TableRules {
  return {
    columns: cells.map((cell) => cell.column),
    cells: (object, nowMs) => cells.map((cell) => cell.of(object as T, nowMs)),
  };
}

type Type = TableColumn['type'];

/** A cell that is always shown. */
export function cell<T>(name: string, description: string, of: Cell<T>['of'], type: Type = 'string'): Cell<T> {
  return { column: column(name, description, type), of };
}

/** A cell that is shown with `-o wide`. */
export function wideCell<T>(name: string, description: string, of: Cell<T>['of']): Cell<T> {
  return { column: wideColumn(name, description), of };
}

/** The cells of a workload about the containers of its pod template. They are shown with `-o wide`. */
export function containerCells<T>(templateOf: (object: T) => PodTemplateSpec | undefined): readonly Cell<T>[] {
  return [
    wideCell(
      'Containers',
      'The names of the containers in the pod template.',
      (object) => templateCells(templateOf(object))[0],
    ),
    wideCell(
      'Images',
      'The images of the containers in the pod template.',
      (object) => templateCells(templateOf(object))[1],
    ),
  ];
}

export const nameCell: Cell<unknown> = {
  column: nameColumn,
  of: (object) => (object as KubernetesObject).metadata.name,
};

export const ageCell: Cell<unknown> = {
  column: ageColumn,
  of: (object, nowMs) => ageOf((object as KubernetesObject).metadata.creationTimestamp, nowMs),
};
