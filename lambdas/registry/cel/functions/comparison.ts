import { CelDuration, type CelList, type CelMap, CelTimestamp, type CelValue } from '../evaluate/CelValue.ts';
import { compareNumbers, equals, isNumeric } from '../evaluate/equals.ts';
import { type Overload, overload } from './Overload.ts';

/** Compares two values of one comparable type, or two numbers; `undefined` for NaN and for what cannot be compared. */
export function compareValues(a: CelValue, b: CelValue): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof CelDuration && b instanceof CelDuration) return a.nanos < b.nanos ? -1 : Number(a.nanos > b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return a.nanos < b.nanos ? -1 : Number(a.nanos > b.nanos);
  return undefined;
}

/** Texts are ordered by code points, as their UTF-8 bytes are. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const hasPairs = /[\ud800-\udfff]/;
  if (hasPairs.test(a) || hasPairs.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

interface Comparison {
  readonly operator: string;
  readonly name: string;
  holds(order: number): boolean;
}

const COMPARISONS: readonly Comparison[] = [
  { operator: '_<_', name: 'less', holds: (order) => order < 0 },
  { operator: '_<=_', name: 'less_equals', holds: (order) => order <= 0 },
  { operator: '_>_', name: 'greater', holds: (order) => order > 0 },
  { operator: '_>=_', name: 'greater_equals', holds: (order) => order >= 0 },
];

/** The pairs of types that can be compared, as in cel-go's names of overloads. */
const PAIRS: readonly (readonly [suffix: string, left: string, right: string])[] = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string'],
  ['bytes', 'bytes', 'bytes'],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
];

/** CEL's comparisons, `in`, and the operators that the evaluation handles itself, since not all of their operands are always evaluated. */
export const COMPARISON: readonly Overload[] = [
  ...COMPARISONS.flatMap((comparison) =>
    PAIRS.map(([suffix, left, right]) =>
      overload(
        `${comparison.name}_${suffix}`,
        comparison.operator,
        `(${left}, ${right}) bool`,
        (a: CelValue, b: CelValue) => {
          const order = compareValues(a, b);
          return order !== undefined && comparison.holds(order);
        },
      ),
    ),
  ),
  overload('equals', '_==_', '(A, A) bool', (a: CelValue, b: CelValue) => equals(a, b)),
  overload('not_equals', '_!=_', '(A, A) bool', (a: CelValue, b: CelValue) => !equals(a, b)),
  overload('in_list', '@in', '(A, list(A)) bool', (value: CelValue, list: CelList) =>
    list.items.some((item) => equals(item, value)),
  ),
  overload('in_map', '@in', '(A, map(A, B)) bool', (key: CelValue, map: CelMap) => map.source.get(key) !== undefined),
  overload('logical_not', '!_', '(bool) bool', (a: boolean) => !a),
  overload('conditional', '_?_:_', '(bool, A, A) A', evaluatedElsewhere),
  overload('logical_and', '_&&_', '(bool, bool) bool', evaluatedElsewhere),
  overload('logical_or', '_||_', '(bool, bool) bool', evaluatedElsewhere),
  overload('not_strictly_false', '@not_strictly_false', '(bool) bool', evaluatedElsewhere),
];

function evaluatedElsewhere(): never {
  throw new Error('operators that do not evaluate all of their operands have no function');
}
