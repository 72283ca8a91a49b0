import {
  CelDuration,
  CelError,
  CelList,
  CelOptional,
  type CelResult,
  CelUint,
  type CelValue,
  LiteralMap,
} from '../evaluate/CelValue.ts';
import { CelMap } from '../evaluate/CelValue.ts';
import { typeNameOf } from '../evaluate/typeNameOf.ts';
import { equals } from '../evaluate/equals.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { compareValues } from './comparison.ts';
import { type Overload, overload } from './Overload.ts';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** The types that can be summed, and what the sum of nothing is. */
const SUMMABLE: readonly (readonly [type: string, zero: CelValue])[] = [
  ['int', 0n],
  ['uint', new CelUint(0n)],
  ['double', 0],
  ['duration', new CelDuration(0n)],
];

/** Functions on lists: Kubernetes' own, cel-go's libraries of lists (version 3) and of sets, and what macros of two variables need. */
export const LISTS: readonly Overload[] = [
  ...COMPARABLE.flatMap((type) => [
    overload(`list_${type}_is_sorted_bool`, 'isSorted', `list(${type}).() bool`, isSorted),
    overload(`list_${type}_max_${type}`, 'max', `list(${type}).() ${type}`, (list: CelList) => extreme(list, 'max', 1)),
    overload(`list_${type}_min_${type}`, 'min', `list(${type}).() ${type}`, (list: CelList) =>
      extreme(list, 'min', -1),
    ),
    overload(`list_${type}_sort`, 'sort', `list(${type}).() list(${type})`, (list: CelList) => sortBy(list, list)),
    overload(`list_${type}_sortByAssociatedKeys`, '@sortByAssociatedKeys', `(list(T), list(${type})) list(T)`, sortBy),
  ]),
  ...SUMMABLE.map(([type, zero]) =>
    overload(`list_${type}_sum_${type}`, 'sum', `list(${type}).() ${type}`, (list: CelList) => sum(list, zero)),
  ),
  overload('list_a_index_of_int', 'indexOf', 'list(A).(A) int', (list: CelList, value: CelValue) =>
    BigInt(list.items.findIndex((item) => equals(item, value))),
  ),
  overload('list_a_last_index_of_int', 'lastIndexOf', 'list(A).(A) int', (list: CelList, value: CelValue) =>
    BigInt(list.items.findLastIndex((item) => equals(item, value))),
  ),
  overload('list_slice', 'slice', 'list(T).(int, int) list(T)', slice),
  overload('list_flatten', 'flatten', 'list(list(T)).() list(T)', (list: CelList) => flatten(list, 1n)),
  overload('list_flatten_int', 'flatten', 'list(dyn).(int) list(dyn)', flatten),
  overload('lists_range', 'lists.range', '(int) list(int)', range),
  overload('list_reverse', 'reverse', 'list(T).() list(T)', (list: CelList) => new CelList([...list.items].reverse())),
  overload('list_distinct', 'distinct', 'list(T).() list(T)', distinct),
  overload('list_first', 'first', 'list(V).() optional_type(V)', (list: CelList) => new CelOptional(list.items[0])),
  overload('list_last', 'last', 'list(V).() optional_type(V)', (list: CelList) => new CelOptional(list.items.at(-1))),
  overload('list_sets_contains_list', 'sets.contains', '(list(T), list(T)) bool', containsAll),
  overload(
    'list_sets_equivalent_list',
    'sets.equivalent',
    '(list(T), list(T)) bool',
    (a: CelList, b: CelList) => containsAll(a, b) && containsAll(b, a),
  ),
  overload('list_sets_intersects_list', 'sets.intersects', '(list(T), list(T)) bool', (a: CelList, b: CelList) =>
    a.items.some((item) => has(b, item)),
  ),
  overload(
    '@mapInsert_map_key_value',
    'cel.@mapInsert',
    '(map(K, V), K, V) map(K, V)',
    (map: CelMap, key: CelValue, value: CelValue) => insert(map, [[key, value]]),
  ),
  overload('@mapInsert_map_map', 'cel.@mapInsert', '(map(K, V), map(K, V)) map(K, V)', (map: CelMap, added: CelMap) =>
    insert(
      map,
      Array.from(added.source.keys(), (key): readonly [CelValue, CelValue] => [key, added.source.get(key) ?? null]),
    ),
  ),
];

function isSorted({ items }: CelList): boolean {
  return items.every((item, index) => index === 0 || (compareValues(items[index - 1] ?? null, item) ?? 1) <= 0);
}

function extreme({ items }: CelList, name: string, sign: 1 | -1): CelResult {
  const [first, ...rest] = items;
  if (first === undefined) return new CelError(`${name} called on empty list`);
  return rest.reduce((best, item) => ((compareValues(item, best) ?? 0) * sign > 0 ? item : best), first);
}

function sum({ items }: CelList, zero: CelValue): CelResult {
  const additions = ARITHMETIC.filter(({ name }) => name === '_+_');
  const id =
    zero instanceof CelDuration
      ? 'add_duration_duration'
      : zero instanceof CelUint
        ? 'add_uint64'
        : typeof zero === 'bigint'
          ? 'add_int64'
          : 'add_double';
  const add = additions.find((one) => one.id === id);
  return items.reduce<CelResult>(
    (total, item) => (total instanceof CelError ? total : (add?.call([total, item]) ?? zero)),
    zero,
  );
}

/** Sorts the items by the keys at the same indexes; equal ones keep their order. */
function sortBy(list: CelList, keys: CelList): CelResult {
  if (list.items.length !== keys.items.length)
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.items.length} and ${keys.items.length} elements respectively.`,
    );
  const pairs = list.items.map((item, index) => ({ item, key: keys.items[index] ?? null }));
  return new CelList(pairs.sort((a, b) => compareValues(a.key, b.key) ?? 0).map(({ item }) => item));
}

function slice({ items }: CelList, start: bigint, end: bigint): CelResult {
  const refuse = (why: string) => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) return refuse('negative indexes not supported');
  if (start > end) return refuse('start index must be less than or equal to end index');
  if (BigInt(items.length) < end) return refuse(`list is length ${items.length}`);
  return new CelList(items.slice(Number(start), Number(end)));
}

function flatten(list: CelList, depth: bigint): CelResult {
  if (depth < 0n) return new CelError('level must be non-negative');
  return new CelList(flattened(list, depth));
}

function flattened({ items }: CelList, depth: bigint): CelValue[] {
  return items.flatMap((item) => (item instanceof CelList && depth > 0n ? flattened(item, depth - 1n) : [item]));
}

const MAX_RANGE = 1_000_000n;

/** As long a list as an expression may cost. */
function range(size: bigint): CelResult {
  if (size > MAX_RANGE) return new CelError('operation cancelled: actual cost limit exceeded');
  return new CelList(Array.from({ length: Math.max(0, Number(size)) }, (_, index) => BigInt(index)));
}

function distinct({ items }: CelList): CelList {
  const result: CelValue[] = [];
  for (const item of items) if (!result.some((one) => equals(one, item))) result.push(item);
  return new CelList(result);
}

function has({ items }: CelList, value: CelValue): boolean {
  return items.some((item) => equals(item, value));
}

function containsAll(list: CelList, others: CelList): boolean {
  return others.items.every((item) => has(list, item));
}

function insert(map: CelMap, added: readonly (readonly [CelValue, CelValue])[]): CelResult {
  const result = new LiteralMap();
  for (const key of map.source.keys()) result.add(key, map.source.get(key) ?? null);
  for (const [key, value] of added)
    if (!result.add(key, value))
      return new CelError(`insert failed: key ${typeof key === 'string' ? key : typeNameOf(key)} already exists`);
  return new CelMap(result);
}
