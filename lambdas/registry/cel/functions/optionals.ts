import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  type CelResult,
  CelUint,
  type CelValue,
} from '../evaluate/CelValue.ts';
import { sizeOf } from '../evaluate/sizeOf.ts';
import { type Overload, overload } from './Overload.ts';

/** cel-go's optional values. Selecting and indexing (`a.?b`, `a[?0]`) are handled by the evaluation; here are their types. */
export const OPTIONALS: readonly Overload[] = [
  overload('optional_of', 'optional.of', '(V) optional_type(V)', (value: CelValue) => new CelOptional(value)),
  overload('optional_ofNonZeroValue', 'optional.ofNonZeroValue', '(V) optional_type(V)', (value: CelValue) =>
    isZero(value) ? CelOptional.NONE : new CelOptional(value),
  ),
  overload('optional_none', 'optional.none', '() optional_type(V)', () => CelOptional.NONE),
  overload('optional_value', 'value', 'optional_type(V).() V', valueOf),
  overload(
    'optional_hasValue',
    'hasValue',
    'optional_type(V).() bool',
    ({ value }: CelOptional) => value !== undefined,
  ),
  overload(
    'optional_or_optional',
    'or',
    'optional_type(V).(optional_type(V)) optional_type(V)',
    (a: CelOptional, b: CelOptional) => (a.value === undefined ? b : a),
  ),
  overload('optional_orValue_value', 'orValue', 'optional_type(V).(V) V', ({ value }: CelOptional, other: CelValue) =>
    value === undefined ? other : value,
  ),
  overload('select_optional_field', '_?._', '(dyn, string) optional_type(V)', evaluatedElsewhere),
  overload('list_optindex_optional_int', '_[?_]', '(list(V), int) optional_type(V)', evaluatedElsewhere),
  overload(
    'optional_list_optindex_optional_int',
    '_[?_]',
    '(optional_type(list(V)), int) optional_type(V)',
    evaluatedElsewhere,
  ),
  overload('map_optindex_optional_value', '_[?_]', '(map(K, V), K) optional_type(V)', evaluatedElsewhere),
  overload(
    'optional_map_optindex_optional_value',
    '_[?_]',
    '(optional_type(map(K, V)), K) optional_type(V)',
    evaluatedElsewhere,
  ),
  overload('index_list', '_[_]', '(list(A), int) A', evaluatedElsewhere),
  overload('index_map', '_[_]', '(map(A, B), A) B', evaluatedElsewhere),
  overload('optional_list_index_int', '_[_]', '(optional_type(list(V)), int) optional_type(V)', evaluatedElsewhere),
  overload('optional_map_index_value', '_[_]', '(optional_type(map(K, V)), K) optional_type(V)', evaluatedElsewhere),
  overload('optional_unwrap', 'optional.unwrap', '(list(optional_type(V))) list(V)', unwrapAll),
  overload('optional_unwrapOpt', 'unwrapOpt', 'list(optional_type(V)).() list(V)', unwrapAll),
];

function evaluatedElsewhere(): never {
  throw new Error('selecting and indexing have no function');
}

function valueOf({ value }: CelOptional): CelResult {
  return value === undefined ? new CelError('optional.none() dereference') : value;
}

function unwrapAll({ items }: CelList): CelList {
  return new CelList(
    items.flatMap((item) => (item instanceof CelOptional && item.value !== undefined ? [item.value] : [])),
  );
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  const isSized =
    typeof value === 'string' || value instanceof Uint8Array || value instanceof CelList || value instanceof CelMap;
  return isSized && sizeOf(value) === 0;
}
