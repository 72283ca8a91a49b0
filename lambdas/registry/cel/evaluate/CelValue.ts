import type { LibraryValue } from './LibraryValue.ts';

/**
 * A value of CEL. int is `bigint`, double is `number`, null is `null`. Lists, maps and the rest are classes; an error is a value too, since `&&` and `||`
 * may ignore it.
 */
export type CelValue =
  | boolean
  | bigint
  | number
  | string
  | null
  | Uint8Array
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelTypeValue
  | CelOptional
  | CelList
  | CelMap
  | LibraryValue;

export type CelResult = CelValue | CelError;

/** Why an expression has no value: `no such key: a`, `division by zero`. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value: what `type(1)` returns. */
export class CelTypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class CelOptional {
  static readonly NONE = new CelOptional(undefined);
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A list. `identity` says when two items are the same, for lists that are sets or maps: then the order does not count. */
export class CelList {
  readonly items: readonly CelValue[];
  readonly identity: ListIdentity | undefined;

  constructor(items: readonly CelValue[], identity?: ListIdentity) {
    this.items = items;
    this.identity = identity;
  }
}

export interface ListIdentity {
  /** A text that the same items share: of a set the item itself, of a map its keys. */
  keyOf(item: CelValue): string;
}

/** A map, or an object: `get` returns `undefined` for what is not there. */
export interface CelMapSource {
  readonly size: number;
  get(key: CelValue): CelValue | undefined;
  /** `get` for members that may turn out to be errors, such as variables whose expression fails. */
  resolve?(key: CelValue): CelResult | undefined;
  keys(): Iterable<CelValue>;
}

export class CelMap {
  readonly source: CelMapSource;
  /** `map`, or the name of the object's type. */
  readonly typeName: string;

  constructor(source: CelMapSource, typeName = 'map') {
    this.source = source;
    this.typeName = typeName;
  }
}

/** A map that an expression made. Keys that are equal numbers are one key. */
export class LiteralMap implements CelMapSource {
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  /** Returns false if there is such a key already. */
  add(key: CelValue, value: CelValue): boolean {
    const text = keyText(key);
    if (text === undefined || this.#entries.has(text)) return false;
    this.#entries.set(text, [key, value]);
    return true;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** A text for a key of a map; `undefined` for what cannot be one. 1, 1u and 1.0 are the same key. */
function keyText(key: CelValue): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof CelUint) return `n${key.value}`;
  return typeof key === 'number' && Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
}
