import type { CelType } from '../CelType.ts';
import type { Overload } from '../functions/Overload.ts';
import { CelDuration, CelList, CelMap, CelTimestamp, CelTypeValue, CelUint, type CelValue } from './CelValue.ts';
import { typeNameOf } from './typeNameOf.ts';

/** True if an overload takes these values; the types of items are not looked at. */
export function takes({ params }: Overload, values: readonly CelValue[]): boolean {
  return params.length === values.length && params.every((type, index) => isOfType(values[index] ?? null, type));
}

function isOfType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'null':
      return value === null;
    case 'uint':
      return value instanceof CelUint;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'duration':
      return value instanceof CelDuration;
    case 'timestamp':
      return value instanceof CelTimestamp;
    case 'type':
      return value instanceof CelTypeValue;
    case 'list':
      return value instanceof CelList;
    case 'map':
      return value instanceof CelMap;
    case 'opaque':
    case 'struct':
      return typeNameOf(value) === type.name;
  }
}
