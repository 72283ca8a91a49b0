import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
} from '../../../objects/quantities/quantity.ts';
import { CelError, type CelResult } from '../evaluate/CelValue.ts';
import { compareSemver } from '../evaluate/equals.ts';
import { QuantityValue, SemverValue } from '../evaluate/LibraryValue.ts';
import { type Overload, overload } from './Overload.ts';

const NANO = 1_000_000_000n;
const INT_END = 2n ** 63n;

/** Kubernetes' libraries of quantities and of semantic versions. `sign` is not a member upstream either. */
export const QUANTITIES: readonly Overload[] = [
  overload('string_to_quantity', 'quantity', '(string) kubernetes.Quantity', toQuantity),
  overload('is_quantity_string', 'isQuantity', '(string) bool', (text: string) => parseQuantity(text) !== undefined),
  overload('quantity_sign', 'sign', '(kubernetes.Quantity) int', ({ quantity }: QuantityValue) =>
    BigInt(compareQuantities(quantity, ZERO)),
  ),
  overload(
    'quantity_is_greater_than',
    'isGreaterThan',
    'kubernetes.Quantity.(kubernetes.Quantity) bool',
    (a: QuantityValue, b: QuantityValue) => compareQuantities(a.quantity, b.quantity) > 0,
  ),
  overload(
    'quantity_is_less_than',
    'isLessThan',
    'kubernetes.Quantity.(kubernetes.Quantity) bool',
    (a: QuantityValue, b: QuantityValue) => compareQuantities(a.quantity, b.quantity) < 0,
  ),
  overload(
    'quantity_compare_to',
    'compareTo',
    'kubernetes.Quantity.(kubernetes.Quantity) int',
    (a: QuantityValue, b: QuantityValue) => BigInt(compareQuantities(a.quantity, b.quantity)),
  ),
  overload(
    'quantity_get_float',
    'asApproximateFloat',
    'kubernetes.Quantity.() double',
    ({ quantity }: QuantityValue) => Number(quantity.nanos) / 1e9,
  ),
  overload('quantity_get_int', 'asInteger', 'kubernetes.Quantity.() int', toInteger),
  overload(
    'quantity_is_integer',
    'isInteger',
    'kubernetes.Quantity.() bool',
    (value: QuantityValue) => !(toInteger(value) instanceof CelError),
  ),
  overload(
    'quantity_add',
    'add',
    'kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity',
    (a: QuantityValue, b: QuantityValue) => plus(a, b.quantity),
  ),
  overload('quantity_add_int', 'add', 'kubernetes.Quantity.(int) kubernetes.Quantity', (a: QuantityValue, b: bigint) =>
    plus(a, whole(b)),
  ),
  overload(
    'quantity_sub',
    'sub',
    'kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity',
    (a: QuantityValue, b: QuantityValue) => plus(a, { ...b.quantity, nanos: -b.quantity.nanos }),
  ),
  overload('quantity_sub_int', 'sub', 'kubernetes.Quantity.(int) kubernetes.Quantity', (a: QuantityValue, b: bigint) =>
    plus(a, whole(-b)),
  ),
  overload('string_to_semver', 'semver', '(string) kubernetes.Semver', (text: string) => toSemver(text, false)),
  overload('string_bool_to_semver', 'semver', '(string, bool) kubernetes.Semver', toSemver),
  overload(
    'is_semver_string',
    'isSemver',
    '(string) bool',
    (text: string) => toSemver(text, false) instanceof SemverValue,
  ),
  overload(
    'is_semver_string_bool',
    'isSemver',
    '(string, bool) bool',
    (text: string, normalize: boolean) => toSemver(text, normalize) instanceof SemverValue,
  ),
  overload(
    'semver_is_greater_than',
    'isGreaterThan',
    'kubernetes.Semver.(kubernetes.Semver) bool',
    (a: SemverValue, b: SemverValue) => compareSemver(a, b) > 0,
  ),
  overload(
    'semver_is_less_than',
    'isLessThan',
    'kubernetes.Semver.(kubernetes.Semver) bool',
    (a: SemverValue, b: SemverValue) => compareSemver(a, b) < 0,
  ),
  overload(
    'semver_compare_to',
    'compareTo',
    'kubernetes.Semver.(kubernetes.Semver) int',
    (a: SemverValue, b: SemverValue) => BigInt(compareSemver(a, b)),
  ),
  overload('semver_major', 'major', 'kubernetes.Semver.() int', ({ major }: SemverValue) => major),
  overload('semver_minor', 'minor', 'kubernetes.Semver.() int', ({ minor }: SemverValue) => minor),
  overload('semver_patch', 'patch', 'kubernetes.Semver.() int', ({ patch }: SemverValue) => patch),
];

const ZERO: Quantity = { nanos: 0n, format: 'DecimalSI' };

function whole(value: bigint): Quantity {
  return { nanos: value * NANO, format: 'DecimalSI' };
}

function plus({ quantity }: QuantityValue, other: Quantity): QuantityValue {
  return new QuantityValue(addQuantities(quantity, other));
}

function toQuantity(text: string): CelResult {
  const quantity = parseQuantity(text);
  return quantity === undefined ? new CelError(quantityMistake(text)) : new QuantityValue(quantity);
}

function quantityMistake(text: string): string {
  return text === ''
    ? "unable to parse quantity's suffix"
    : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

function toInteger({ quantity }: QuantityValue): bigint | CelError {
  const value = quantity.nanos / NANO;
  const isWhole = quantity.nanos % NANO === 0n && value < INT_END && value >= -INT_END;
  return isWhole ? value : new CelError('cannot convert value to integer');
}

const NUMBER = '(0|[1-9]\\d*)';
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
);

/** With `normalize`, a leading `v`, missing minor and patch numbers, and leading zeros are allowed. */
function toSemver(text: string, normalize: boolean): SemverValue | CelError {
  const match = text.length > 1_000 ? null : SEMVER.exec(normalize ? normalized(text) : text);
  const [, major, minor, patch, prerelease, build = ''] = match ?? [];
  if (major === undefined || minor === undefined || patch === undefined)
    return new CelError(
      `semver parse error during conversion from string: Invalid character(s) found in version ${JSON.stringify(text)}`,
    );
  return new SemverValue({
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    prerelease: prerelease?.split('.') ?? [],
    build,
  });
}

function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^\s*v?([\d.]*)(.*?)\s*$/s.exec(text) ?? [];
  const parts = numbers.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  const missing = rest === '' ? Array<string>(Math.max(0, 3 - parts.length)).fill('0') : [];
  return `${[...parts, ...missing].join('.')}${rest}`;
}
