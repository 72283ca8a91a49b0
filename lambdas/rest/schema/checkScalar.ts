import { formatQuantity, parseQuantity, QUANTITY_FORMAT_MESSAGE } from '../../objects/quantities/quantity.ts';
import { parseGoTime } from './parseGoTime.ts';
import type { Scalar } from './parseField.ts';

/** Either the value in Kubernetes' canonical form, or the reason why it is invalid: a wrong JSON type (`unmarshal`), or an error of the type's own decoder. */
export type ScalarCheck =
  | { readonly value: unknown }
  | { readonly unmarshal: string; readonly goType?: string }
  | { readonly error: string };

const INT_LIMITS = { int32: 2 ** 31, int64: 2 ** 63 } as const;

/** The name of a JSON value's type in Go's decoder: `string`, `number`, `bool`, `array`, `object`. */
export function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Checks one value that is neither null nor a struct. Integers beyond 2^53 have already lost digits in JSON.parse. */
export function checkScalar(value: unknown, type: Scalar): ScalarCheck {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? { value } : { unmarshal: jsonWord(value) };
    case 'bool':
      return typeof value === 'boolean' ? { value } : { unmarshal: jsonWord(value) };
    case 'int32':
    case 'int64':
      return checkInteger(value, type);
    case 'float64':
      return typeof value === 'number' ? { value } : { unmarshal: jsonWord(value) };
    case 'bytes':
      return checkBytes(value);
    case 'Time':
    case 'MicroTime':
      return checkTime(value, type);
    case 'Quantity':
      return checkQuantity(value);
    case 'IntOrString':
      return typeof value === 'string' ? { value } : { goType: 'int32', ...checkInteger(value, 'int32') };
    case 'ExtraValue':
      return checkStrings(value);
    case 'RawExtension':
    case 'FieldsV1':
      return { value };
  }
}

/** The type's zero value. A null inside a list or a map decodes to it. */
export function zeroOf(type: Scalar): unknown {
  switch (type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'IntOrString':
      return 0;
    case 'Quantity':
      return '0';
    case 'ExtraValue':
      return [];
    case 'Time':
    case 'MicroTime':
    case 'RawExtension':
    case 'FieldsV1':
      return null;
  }
}

function checkInteger(value: unknown, type: 'int32' | 'int64'): ScalarCheck {
  if (typeof value !== 'number') return { unmarshal: jsonWord(value) };
  const limit = INT_LIMITS[type];
  const fits = Number.isInteger(value) && value >= -limit && value < limit;
  return fits ? { value } : { unmarshal: `number ${value}` };
}

function checkBytes(value: unknown): ScalarCheck {
  if (typeof value !== 'string') return { unmarshal: jsonWord(value) };
  const text = value.replaceAll(/[\r\n]/g, '');
  const wrong = text.search(/[^A-Za-z0-9+/]/);
  const padding = wrong < 0 ? '' : text.slice(wrong);
  const correct = text.length % 4 === 0 && /^={0,2}$/.test(padding);
  if (correct) return { value: text };
  const legal = wrong < 0 || /^=+$/.test(padding) ? Math.floor(text.length / 4) * 4 : wrong;
  return { error: `illegal base64 data at input byte ${legal}` };
}

function checkTime(value: unknown, type: 'Time' | 'MicroTime'): ScalarCheck {
  if (typeof value !== 'string') return { unmarshal: jsonWord(value), goType: 'string' };
  const time = parseGoTime(value, type);
  return 'text' in time ? { value: time.text } : time;
}

function checkQuantity(value: unknown): ScalarCheck {
  const quantity = parseQuantity(typeof value === 'string' ? value.trim() : value);
  return quantity === undefined ? { error: QUANTITY_FORMAT_MESSAGE } : { value: formatQuantity(quantity) };
}

function checkStrings(value: unknown): ScalarCheck {
  if (!Array.isArray(value)) return { unmarshal: jsonWord(value) };
  const odd: unknown = value.find((item) => typeof item !== 'string');
  return odd === undefined ? { value } : { unmarshal: jsonWord(odd), goType: 'string' };
}
