import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { TableColumn, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn, wideColumn } from './columns.ts';
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

export const nameCell: Cell<unknown> = {
  column: nameColumn,
  of: (object) => (object as KubernetesObject).metadata.name,
};

export const ageCell: Cell<unknown> = {
  column: ageColumn,
  of: (object, nowMs) => ageOf((object as KubernetesObject).metadata.creationTimestamp, nowMs),
};
