import type { JsonSchemaProps } from '../schema/JsonSchemaProps.ts';
import { goNumber } from './goNumber.ts';
import { type Place, sentence, unplaced } from './valueErrors.ts';
import { ValueResult } from './ValueResult.ts';

/** The nearest double to the largest int64: one more than it. */
const INT64_END = 2 ** 63;
const MAX_FLOAT32 = 3.402_823_466_385_288_6e38;

/** True for a number that Kubernetes decodes as an int64. JSON's `3.0` cannot be told from `3` here. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -INT64_END && value < INT64_END;
}

/** Checks a number's bounds and its factor as go-openapi's numberValidator does, with its peculiarities: an integer is compared with the bound's whole part. */
export function checkNumber(value: number, schema: JsonSchemaProps, place: Place): ValueResult {
  const result = rangeError(value, schema, 'Checked', place) ?? new ValueResult();
  if (schema.multipleOf !== undefined) result.merge(checkFactor(value, schema.multipleOf, schema, place));
  const { minimum, maximum } = schema;
  // Kubernetes adds the errors of the lower bound first.
  if (minimum !== undefined)
    result.merge(
      checkBound(value, minimum, schema, place, {
        prefix: 'Minimum boundary',
        fails: (a, b) => (schema.exclusiveMinimum ? a <= b : a < b),
        words: schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to',
      }),
    );
  if (maximum !== undefined)
    result.merge(
      checkBound(value, maximum, schema, place, {
        prefix: 'Maximum boundary',
        fails: (a, b) => (schema.exclusiveMaximum ? a >= b : a > b),
        words: schema.exclusiveMaximum ? 'less than' : 'less than or equal to',
      }),
    );
  result.matchCount += 1;
  return result;
}

interface Bound {
  readonly prefix: string;
  readonly words: string;
  fails(value: number, bound: number): boolean;
}

function checkBound(value: number, bound: number, schema: JsonSchemaProps, place: Place, rule: Bound): ValueResult {
  const result = rangeError(bound, schema, rule.prefix, place) ?? new ValueResult();
  const compared = result.isValid && isInt64(value) ? Math.trunc(bound) : bound;
  return rule.fails(value, compared)
    ? result.merge(sentence(place, value, `should be ${rule.words} ${goNumber(compared)}`))
    : result;
}

function checkFactor(value: number, factor: number, schema: JsonSchemaProps, place: Place): ValueResult {
  const result = rangeError(factor, schema, 'MultipleOf', place) ?? new ValueResult();
  const divisor = result.isValid && isInt64(value) ? Math.trunc(factor) : factor;
  if (divisor <= 0) {
    const message = `factor MultipleOf declared for ${place.path} must be positive: ${goNumber(divisor)}`;
    return result.merge(unplaced(place, message));
  }
  const isMultiple =
    isInt64(value) && Number.isInteger(divisor) ? value % divisor === 0 : isWholeQuotient(value, divisor);
  return isMultiple ? result : result.merge(sentence(place, value, `should be a multiple of ${goNumber(divisor)}`));
}

function isWholeQuotient(value: number, factor: number): boolean {
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  if (!Number.isFinite(quotient) || Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false;
  // go-openapi's swag forgives a relative error of 1e-9.
  const difference = Math.abs(quotient - Math.trunc(quotient));
  return difference === 0 || difference / Math.abs(quotient) < 1e-9;
}

/** An error if a value or a bound does not fit into the schema's type and format. */
function rangeError(value: number, { type, format }: JsonSchemaProps, prefix: string, place: Place) {
  if (type === 'integer' && !isInteger(value, format))
    return unplaced(place, rangeMessage(prefix, type, format, place));
  if (format === 'float' && Math.abs(value) > MAX_FLOAT32 && type === 'number')
    return unplaced(place, rangeMessage(prefix, type, format, place));
  return undefined;
}

function isInteger(value: number, format: string | undefined): boolean {
  return isInt64(value) && (format !== 'int32' || (value >= -2_147_483_648 && value <= 2_147_483_647));
}

function rangeMessage(prefix: string, type: string, format: string | undefined, { path }: Place): string {
  const known = format === 'int32' || format === 'int64' || format === 'float' || format === 'double';
  return `${prefix} value must be of type ${type} ${known ? `with format ${format}` : '(default format)'} in ${path}`;
}
