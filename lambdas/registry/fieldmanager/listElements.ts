import { goQuote } from '../../objects/go/goQuote.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { isMap, type ListSchema } from './MergeSchema.ts';
import { keyElement, type PathElement, valueElement } from './pathElement.ts';

/** The items of a list whose items are owned one by one, by their steps, in the list's order. Throws FieldManagerError for an item that has no step. */
export function itemsByElement(list: readonly unknown[], schema: ListSchema): Map<PathElement, unknown[]> {
  const items = new Map<PathElement, unknown[]>();
  for (const [index, item] of list.entries()) {
    const element = listElement(item, schema, index);
    const same = items.get(element);
    if (same === undefined) items.set(element, [item]);
    else same.push(item);
  }
  return items;
}

/** The step to an item of a `map` or `set` list. Throws FieldManagerError, in the words of structured-merge-diff, for an item that has none. */
export function listElement(item: unknown, schema: ListSchema, index: number): PathElement {
  const refuse = (why: string) => new FieldManagerError(`element ${index}: ${why}`);
  return schema.keys.length > 0 ? keyedElement(item, schema, refuse) : setElement(item, refuse);
}

type Refuse = (why: string) => FieldManagerError;

function keyedElement(item: unknown, { keys, items }: ListSchema, refuse: Refuse): PathElement {
  if (item === null) throw refuse('associative list with keys may not have a null element');
  if (!isMap(item)) throw refuse('associative list with keys may not have non-map elements');
  const values: Record<string, unknown> = {};
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : items.map?.field(key)?.keyDefault;
    if (value !== undefined) values[key] = value;
  }
  if (Object.keys(values).length > 0) return keyElement(values);
  const names = `[${keys.map(goQuote).join(' ')}]`;
  throw refuse(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}

function setElement(item: unknown, refuse: Refuse): PathElement {
  if (isMap(item)) throw refuse("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw refuse('not supported: associative list with lists as elements');
  if (item === null) throw refuse("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}
