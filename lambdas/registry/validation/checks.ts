import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { parseQuantity, QUANTITY_FORMAT_MESSAGE } from '../../objects/quantities/quantity.ts';
import { duplicate, forbidden, invalid, invalidEach, nonNegative, notSupported, required } from './fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from './fieldsOf.ts';

/**
 * Validation as data: a check returns the errors of the value at one path, and checks of parts make the check of the whole. The value may be any JSON, and no check
 * throws. The order of the members of `fields` is the order of the errors.
 */
export type Check = (value: unknown, path: string) => FieldError[];

/** Every object is checked by hundreds of these, which find nothing: a loop costs a third of `flatMap`. */
function append(errors: FieldError[], found: readonly FieldError[]): void {
  for (const error of found) errors.push(error);
}

/** Every check of the same value, in their order. */
export function all(...checks: readonly Check[]): Check {
  return (value, path) => {
    const errors: FieldError[] = [];
    for (const check of checks) append(errors, check(value, path));
    return errors;
  };
}

/** Checks of an object's fields. The empty path is the object itself. */
export function fields<T extends object = Record<string, unknown>>(
  checks: { readonly [Name in keyof T & string]?: Check },
): Check {
  const entries = Object.entries(checks) as [string, Check][];
  return (value, path) => {
    const object = fieldsOf<Record<string, unknown>>(value);
    const errors: FieldError[] = [];
    for (const [name, check] of entries) append(errors, check(object[name], path === '' ? name : `${path}.${name}`));
    return errors;
  };
}

/** A check that depends on the other fields of the same object. */
export function given<T extends object>(checkOf: (object: Fields<T>) => Check): Check {
  return (value, path) => checkOf(fieldsOf<T>(value))(value, path);
}

/** A check that is made under a condition only. */
export function when(condition: boolean, check: Check): Check {
  return condition ? check : valid;
}

/** What every value passes. */
export const valid: Check = () => [];

/** A check of the same value whose errors name another place. */
export function at(suffix: string, check: Check): Check {
  return (value, path) => check(value, `${path}${suffix}`);
}

/** Three checks that nothing passes, for use with `when`. */
export function refused(detail: string): Check {
  return (_, path) => [forbidden(path, detail)];
}
export function wrong(detail: string): Check {
  return (value, path) => [invalid(path, value, detail)];
}
export function missing(detail = ''): Check {
  return (_, path) => [required(path, detail)];
}

/** Fields that may not be set. `isSet` says what counts as that. */
export function noneOf(
  names: readonly string[],
  detail: string,
  isSet: (value: unknown) => boolean = isPresent,
): Check {
  return given<Record<string, unknown>>(
    (object) => (_, path) =>
      names.filter((name) => isSet(object[name])).map((name) => forbidden(`${path}.${name}`, detail)),
  );
}

/** A check of each item of a list. */
export function items(check: Check): Check {
  return (value, path) =>
    Array.isArray(value) ? value.flatMap((item: unknown, index) => check(item, `${path}[${index}]`)) : [];
}

/**
 * A check of each item of a list, which depends on whether an item before it has the same key. `taken` has the keys of all before the list; an item whose key does not count (`counts`) takes none.
 */
export function itemsByKey(
  keyOf: (item: Fields<Record<string, unknown>>) => string,
  checkOf: (isTaken: boolean) => Check,
  taken: Iterable<string> = [],
  counts: (key: string) => boolean = () => true,
): Check {
  const [first, later] = [checkOf(false), checkOf(true)];
  return (value, path) => {
    if (!Array.isArray(value) || value.length === 0) return [];
    const keys = new Set(taken);
    return itemsOf<Record<string, unknown>>(value).flatMap((item, index) => {
      const key = keyOf(item);
      const isTaken = keys.has(key);
      if (counts(key)) keys.add(key);
      return (isTaken ? later : first)(item, `${path}[${index}]`);
    });
  };
}

/** The key of the items that have names. */
export const nameOf = (item: Fields<{ name: string }>): string => textOf(item.name);

/** Refuses a text that is there twice. */
export const repeated: Check = (value, path) => [duplicate(path, textOf(value))];

/** A check that an absent value passes. */
export function ifPresent(check: Check): Check {
  return (value, path) => (isPresent(value) ? check(value, path) : []);
}

/** A check that an absent and an empty text passes. */
export function ifSet(check: Check): Check {
  return (value, path) => (textOf(value) === '' ? [] : check(value, path));
}

/** A value that must be there. `check` sees the ones that are. */
export function present(detail = '', check: Check = () => []): Check {
  return (value, path) => (isPresent(value) ? check(value, path) : [required(path, detail)]);
}

/** A text that may not be empty. */
export function nonEmptyText(detail = '', check: Check = () => []): Check {
  return (value, path) => (textOf(value) === '' ? [required(path, detail)] : check(value, path));
}

/** A list with at least one item. */
export function nonEmptyList(detail = '', check: Check = () => []): Check {
  return (value, path) => (Array.isArray(value) && value.length > 0 ? check(value, path) : [required(path, detail)]);
}

/** A text, each of whose format's errors is one error. */
export function format(errorsOf: (text: string) => string[]): Check {
  return (value, path) => invalidEach(path, textOf(value), errorsOf(textOf(value)));
}

/** A text that passes a test; `detail` in Kubernetes' words. */
export function matching(test: (text: string) => boolean, detail: string): Check {
  return (value, path) => (test(textOf(value)) ? [] : [invalid(path, textOf(value), detail)]);
}

export const dnsLabel = format(isDns1123Label);
export const dnsSubdomain = format(isDns1123Subdomain);

/** One of these texts. */
export function enumOf(...supported: readonly string[]): Check {
  return (value, path) =>
    supported.includes(textOf(value)) ? [] : [notSupported(path, textOf(value), [...supported].sort())];
}

/** One of these texts, which the error names in this order. */
export function oneInOrder(...supported: readonly string[]): Check {
  return (value, path) => (supported.includes(textOf(value)) ? [] : [notSupported(path, textOf(value), supported)]);
}

/** One of these texts, which the error names in this order. It must be there. */
export function requiredEnum(...supported: readonly string[]): Check {
  return nonEmptyText('', oneInOrder(...supported));
}

/** The same, if there is a value. */
export function optionalEnum(...supported: readonly string[]): Check {
  return ifPresent(oneInOrder(...supported));
}

/** A number, 0 if absent, between two others, both inclusive. */
export function range(low: number, high: number, detail: string): Check {
  return (value, path) =>
    numberOf(value) < low || numberOf(value) > high ? [invalid(path, numberOf(value), detail)] : [];
}

/** A number, 0 if absent, from `low` up; `detail` in Kubernetes' words. */
export function atLeast(low: number, detail: string): Check {
  return (value, path) => (numberOf(value) < low ? [invalid(path, numberOf(value), detail)] : []);
}

/** A number, 0 if absent, up to `high`. */
export function atMost(high: number, detail: string): Check {
  return (value, path) => (numberOf(value) > high ? [invalid(path, numberOf(value), detail)] : []);
}

export const notNegative: Check = (value, path) => nonNegative(path, numberOf(value));

/** A quantity that is not negative. */
export const quantity: Check = (value, path) => {
  const parsed = parseQuantity(value);
  if (parsed === undefined) return [invalid(path, value, QUANTITY_FORMAT_MESSAGE)];
  return parsed.nanos < 0n ? [invalid(path, value, 'must be greater than or equal to 0')] : [];
};

/** A list whose items differ in what `keyOf` returns for them: an error for each later item of the same key, at the path that `at` makes of the item's. */
export function distinct(keyOf: (item: unknown) => unknown, at = ''): Check {
  return (value, path) => {
    const seen = new Set<unknown>();
    return (Array.isArray(value) ? value : []).flatMap((item: unknown, index) => {
      const key = keyOf(item);
      const repeated = seen.has(key);
      seen.add(key);
      return repeated ? [duplicate(`${path}[${index}]${at}`, key)] : [];
    });
  };
}
