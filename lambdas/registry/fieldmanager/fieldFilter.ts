import { type FieldSet, NOTHING } from './FieldSet.ts';
import type { PathElement } from './pathElement.ts';

/** Returns those of the fields that a way of writing can change: nobody can own the others through it. Structured-merge-diff's `fieldpath.Filter`. Pure. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

/** One step of a pattern; `*` is any step. */
export type PatternElement = PathElement | '*';

/** The start of the paths that are meant: `['f:spec', 'f:containers', '*', 'f:resources']`. */
export type FieldPattern = readonly PatternElement[];

/** Keeps all fields. */
export const allFields: FieldFilter = (fields) => fields;

/** Keeps everything except these fields and what lies below them. */
export function exceptFields(excluded: FieldSet): FieldFilter {
  return (fields) => fields.differenceBelow(excluded);
}

/** Keeps only paths that start with one of the patterns. */
export function onlyFields(patterns: readonly FieldPattern[]): FieldFilter {
  return (fields) =>
    fields.map((element, node) => {
      const rests = patterns.filter(([first]) => first === '*' || first === element).map((pattern) => pattern.slice(1));
      if (rests.some((rest) => rest.length === 0)) return node;
      const children = rests.length === 0 ? NOTHING : onlyFields(rests)(node.children);
      return { member: false, children };
    });
}
