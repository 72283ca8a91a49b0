import { goQuote } from '../../objects/go/goQuote.ts';
import { FieldManagerError } from './FieldManagerError.ts';

/**
 * One step of a path into an object, in the notation of managedFields' `FieldsV1`: `f:name` for a field, `k:{"name":"web"}` for the list item with these keys
 * (in the order of their names), `v:"text"` for an item of a set, `i:3` for a place in a list. Equal steps are equal texts.
 */
export type PathElement = `${'f' | 'k' | 'v' | 'i'}:${string}`;

export type FieldPath = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(keys: Readonly<Record<string, unknown>>): PathElement {
  const sorted = Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${JSON.stringify(value)}`;
}

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** The name of the field, if the step is one. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** Reads a step that a client sent. Returns `undefined` for a kind of step that only a newer Kubernetes may know. Throws FieldManagerError for anything else. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldManagerError('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldManagerError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text.charAt(0)) {
    case 'f':
      return fieldElement(content);
    case 'v':
      return valueElement(parseJson(content));
    case 'k': {
      const keys = parseJson(content);
      if (typeof keys !== 'object' || keys === null) throw new FieldManagerError(`expected an object: ${content}`);
      return keyElement(keys as Record<string, unknown>);
    }
    case 'i':
      if (!/^[+-]?\d{1,15}$/.test(content)) throw new FieldManagerError(`parsing ${goQuote(content)}: invalid syntax`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FieldManagerError(`not JSON: ${text}`, { cause });
  }
}

/** Prints a path as messages do: `.spec.containers[name="web"].image`. */
export function pathText(path: FieldPath): string {
  return path.map(elementText).join('');
}

export function elementText(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`;
    case 'k': {
      const keys = Object.entries(JSON.parse(content) as Record<string, unknown>);
      return `[${keys.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${valueText(JSON.parse(content))}]`;
    default:
      return `[${content}]`;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member)}`)
    .join('');
}

const KINDS = 'fkvi';

/** Sorts what belongs to steps as Kubernetes does: fields by name, then items by their keys, then items of sets, then places. */
export function sortByElement<T>(entries: readonly (readonly [PathElement, T])[]): [PathElement, T][] {
  const keyed = entries.map(([element, value]) => ({ element, value, key: sortKey(element) }));
  keyed.sort((a, b) => a.key.kind - b.key.kind || compareValues(a.key.content, b.key.content));
  return keyed.map(({ element, value }) => [element, value]);
}

/** What a step is compared by, read once for all comparisons. */
function sortKey(element: PathElement): { readonly kind: number; readonly content: unknown } {
  const content = element.slice(2);
  return { kind: KINDS.indexOf(element.charAt(0)), content: element.startsWith('f:') ? content : readJson(content) };
}

/** A text without escapes, which most are, is taken as it is: a list can have thousands of them. */
function readJson(content: string): unknown {
  return content.startsWith('"') && !content.includes('\\') ? content.slice(1, -1) : JSON.parse(content);
}

/** Numbers come before texts, then booleans, lists, maps and null. Maps are compared by their sorted entries. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -1 : 1;
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (typeof a !== 'object' || a === null) return a === b ? 0 : (a as string) < (b as string) ? -1 : 1;
  const [left, right] = [a, b].map((value) => (Array.isArray(value) ? value : Object.entries(value as object)));
  return compareLists(left ?? [], right ?? []);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [index, item] of a.entries()) {
    if (index >= b.length) return 1;
    const order = compareValues(item, b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function rankOf(value: unknown): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  return ['number', 'string', 'boolean', 'list', 'object'].indexOf(typeof value);
}
