import { goMapText } from '../../objects/go/goMapText.ts';
import { jsonWord } from '../schema/checkScalar.ts';
import type { FieldSchema, Schema } from '../schema/schemaOf.ts';
import { isObject } from '../../objects/json.ts';
import { identityOf, orderMerged, positions } from './mergeOrder.ts';
import { badFormat, noMergeKey, PatchError, unknownDirective } from './PatchError.ts';

export interface ListMerge {
  readonly live: unknown[] | undefined;
  readonly changes: unknown[] | undefined;
  /** From `$setElementOrder`: the merge keys, or scalars, of the items in their new order. */
  readonly order: readonly unknown[] | undefined;
  readonly field: FieldSchema | undefined;
  /** `changes` came as `$deleteFromPrimitiveList`: they are the scalars to delete. */
  readonly deleting: boolean;
  /** Merges a change into a live item and returns the result. */
  readonly mergeItem: (live: Item, change: Item, schema: Schema | undefined) => Item;
}

type Item = Record<string, unknown>;

/** Merges the lists of one field. Changes the live items in place. Throws PatchError. */
export function mergeList(merge: ListMerge): unknown[] {
  const { live, changes, order, field } = merge;
  const mergeKey = field?.mergeKey ?? '';
  if (order !== undefined) checkOrder(changes ?? [], order, mergeKey);
  const merged =
    live !== undefined && changes !== undefined && field?.patchStrategies.includes('merge') === true
      ? mergeItems(live, changes, field, merge)
      : (changes ?? live ?? []);
  if (order === undefined) return merged;
  if (mergeKey !== '') requireMergeKey([...merged, ...order], mergeKey);
  return orderMerged(merged, order, live ?? [], mergeKey);
}

function mergeItems(live: unknown[], changes: unknown[], field: FieldSchema, merge: ListMerge): unknown[] {
  if (live.length === 0 && changes.length === 0) return live;
  const mergeKey = field.mergeKey ?? '';
  if (elementWord(live, changes) !== 'object') return mergeScalars(live, changes, merge.deleting);
  if (mergeKey === '') throw new PatchError('cannot merge lists without merge key for type struct');
  const { remaining, plain, replaced } = applyItemDirectives(live, changes as Item[], mergeKey);
  requireMergeKey(plain, mergeKey);
  if (replaced) return plain;
  const merged = [...remaining];
  const places = positions(remaining, mergeKey);
  const schema = typeof field.of === 'string' ? undefined : field.of;
  for (const change of plain) {
    const place = places.get(change[mergeKey]);
    if (place === undefined) places.set(change[mergeKey], merged.push(change) - 1);
    else merged[place] = merge.mergeItem(merged[place] as Item, change, schema);
  }
  requireMergeKey(merged, mergeKey);
  return orderMerged(merged, plain, remaining, mergeKey);
}

/** The JSON type that all items share. Throws for lists of lists and mixed lists, which cannot merge. */
function elementWord(...lists: readonly (readonly unknown[])[]): string {
  const items = lists.flat();
  const word = items[0] === null ? 'null' : jsonWord(items[0]);
  if (word === 'array') throw new PatchError('lists of lists are not supported', 'Invalid');
  for (const item of items) {
    if ((item === null ? 'null' : jsonWord(item)) === word) continue;
    throw new PatchError(`list element types are not identical: ${goMapText(lists)}`);
  }
  return word;
}

function mergeScalars(live: unknown[], changes: unknown[], deleting: boolean): unknown[] {
  const deleted = new Set(deleting ? changes : []);
  if (deleting) return live.filter((item) => !deleted.has(item));
  return orderMerged([...new Set([...live, ...changes])], changes, live, '');
}

/** Applies items with `$patch`: `delete` removes the live items with the same key, `replace` makes the other changes the whole list. */
function applyItemDirectives(live: unknown[], changes: readonly Item[], mergeKey: string) {
  const plain: Item[] = [];
  const deleted = new Set<unknown>();
  let replaced = false;
  for (const change of changes) {
    const directive = change['$patch'];
    if (directive === undefined) plain.push(change);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'merge') throw new PatchError('merging lists cannot yet be specified in the patch');
    else if (directive !== 'delete') throw unknownDirective(directive, change);
    else {
      requireMergeKey([change], mergeKey);
      deleted.add(change[mergeKey]);
    }
  }
  const remaining = live.filter((item) => !deleted.has(identityOf(item, mergeKey)));
  return { remaining, plain, replaced };
}

function requireMergeKey(items: readonly unknown[], mergeKey: string): void {
  for (const item of items) if (!isObject(item) || !Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
}

/** Checks that `$setElementOrder` lists the changes, except those with `$patch`, in the same order. */
function checkOrder(changes: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  const kept = changes.filter((item) => !isObject(item) || !Object.hasOwn(item, '$patch'));
  if (kept.length === 0 || order.length === 0) return;
  if (mergeKey !== '' && [...kept, ...order].some((item) => !isObject(item))) throw badFormat('setElementOrder list');
  if (mergeKey !== '') requireMergeKey([...kept, ...order], mergeKey);
  let next = 0;
  for (const item of order) {
    if (next < kept.length && identityOf(kept[next], mergeKey) === identityOf(item, mergeKey)) next += 1;
  }
  if (next === kept.length) return;
  throw new PatchError(
    `The order in patch list:\n${goMapText(changes)}\n doesn't match $setElementOrder list:\n${goMapText(order)}\n`,
  );
}
