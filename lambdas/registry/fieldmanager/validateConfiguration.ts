import { goMapText } from '../../objects/go/goMapText.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { listElement } from './listElements.ts';
import {
  isMap,
  type ListSchema,
  type MapSchema,
  declaredMember,
  type MergeSchema,
  type ScalarType,
  shapeOf,
} from './MergeSchema.ts';
import { elementText, fieldElement, indexElement } from './pathElement.ts';

/** The most errors that a message names. A configuration can have as many as it has fields; nobody reads more than these. */
const MAX_ERRORS = 50;

/**
 * Checks that what a client applies fits the schema, or that a stored object still does (`isStored`): its lists may have an item twice, and fields that the schema does not declare are passed over. Throws
 * FieldManagerError that names the first errors with their paths, in the words of structured-merge-diff.
 */
export function validateConfiguration(config: unknown, schema: MergeSchema, isStored = false): void {
  const [first, ...more] = valueErrors(config, schema, isStored).map((error) => error.replace(/^: /, ''));
  if (first === undefined) return;
  const shown = [first, ...more].slice(0, MAX_ERRORS);
  throw new FieldManagerError(
    more.length === 0 ? first : ['errors:', ...shown.map((error) => `  ${error}`)].join('\n'),
  );
}

function valueErrors(value: unknown, schema: MergeSchema, isStored: boolean): string[] {
  const shape = shapeOf(schema, value);
  if (value === null) return [];
  switch (shape.is) {
    case 'scalar':
      return scalarErrors(value, shape.type);
    case 'list':
      return Array.isArray(value)
        ? listErrors(value, shape.list, isStored)
        : [`: expected list, got ${goValueText(value)}`];
    case 'map':
      return isMap(value) ? mapErrors(value, shape.map, isStored) : [`: expected map, got ${goValueText(value)}`];
  }
}

function scalarErrors(value: unknown, type: ScalarType): string[] {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  if (type === 'any' ? isScalar : typeof value === type) return [];
  switch (type) {
    case 'number':
      return [`: expected numeric (int or float), got ${goTypeName(value)}`];
    case 'string':
      return [`: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'boolean':
      return [`: expected boolean, got ${goValueText(value)}`];
    case 'any':
      return [`: expected any scalar, got ${goValueText(value)}`];
  }
}

/** Items with a step of their own may not come twice. */
function listErrors(list: readonly unknown[], schema: ListSchema, isStored: boolean): string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    let element = indexElement(index);
    if (schema.type !== 'atomic') {
      try {
        element = listElement(item, schema, index);
      } catch (error) {
        if (!(error instanceof FieldManagerError)) throw error;
        return [...errors, `: ${error.message}`];
      }
    }
    if (seen.has(element) && !isStored) errors.push(`: duplicate entries for key ${elementText(element)}`);
    seen.add(element);
    for (const error of valueErrors(item, schema.items, isStored)) errors.push(`${elementText(element)}${error}`);
  }
  return errors;
}

/** A member that the schema does not allow ends the search: Kubernetes does not look further. */
function mapErrors(map: Readonly<Record<string, unknown>>, schema: MapSchema, isStored: boolean): string[] {
  const errors: string[] = [];
  for (const [name, value] of Object.entries(map)) {
    const text = elementText(fieldElement(name));
    const member = declaredMember(schema, name);
    if (member === undefined && isStored) continue;
    if (member === undefined) return [...errors, `${text}: field not declared in schema`];
    for (const error of valueErrors(value, member, isStored)) errors.push(`${text}${error}`);
  }
  return errors;
}

/** A value as Go prints it with `%v`. */
function goValueText(value: unknown): string {
  return `&{${goMapText(value)}}`;
}

function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return { string: 'string', boolean: 'bool' }[typeof value as string] ?? 'map[string]interface {}';
}

/** A value as Go prints it with `%#v`. */
function goSyntax(value: unknown): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${members.map(([name, member]) => `${goQuote(name)}:${goSyntax(member)}`).join(', ')}}`;
}
