import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TableDefinition, TableKey } from '../../../lambdas/adapters/aws/tables.ts';
import { DYNAMODB } from '../publishedLimits.ts';
import { itemBytes } from './attributeBytes.ts';
import { type Item, normalized, sortable } from './attributeValues.ts';
import { validationError } from './serviceErrors.ts';
import type { Entry, SortKey } from './SortedEntries.ts';

/** The key of entries in a table without a sort key. */
const NO_SORT_KEY = '';

/** Where an item is: its partition key as text, and its sort key. */
export interface Place {
  readonly hash: string;
  readonly sort: SortKey;
}

/** The keys of a table or an index, and the attributes that it carries. */
export interface Shape {
  /** Absent for the table itself. */
  readonly index?: string;
  readonly partitionKey: TableKey;
  readonly sortKey?: TableKey | undefined;
  /** The attributes of an index's entries; absent for the table. */
  readonly carried?: readonly string[];
}

/** The keys of a table and of its indexes, from its definition. */
export class TableShape {
  readonly table: Shape;
  readonly local: readonly Shape[];
  readonly global: readonly Shape[];
  readonly timeToLive: string | undefined;
  readonly #keyNames: readonly string[];

  constructor({ partitionKey, sortKey, indexes = [], globalIndexes = [], timeToLive }: TableDefinition) {
    this.table = { partitionKey, sortKey };
    this.timeToLive = timeToLive;
    this.#keyNames = [partitionKey.name, ...(sortKey ? [sortKey.name] : [])];
    this.local = indexes.map(({ name, sortKey, projected }) => {
      return { index: name, partitionKey, sortKey, carried: this.#carried([sortKey], projected) };
    });
    this.global = globalIndexes.map(({ name, partitionKey, sortKey }) => {
      return { index: name, partitionKey, sortKey, carried: this.#carried([partitionKey, sortKey], []) };
    });
  }

  /** Returns the place of an item or of a key. Throws if its key is invalid. */
  placeOf(item: Item): Place {
    const { partitionKey, sortKey } = this.table;
    const hash = keyText(keyValue(item, partitionKey, DYNAMODB.partitionKeyBytes));
    return { hash, sort: sortKey ? sortKeyOf(keyValue(item, sortKey, DYNAMODB.sortKeyBytes)) : NO_SORT_KEY };
  }

  /** Returns the key attributes of an item. */
  keyOf(item: Item): Item {
    return picked(item, this.#keyNames);
  }

  /** Throws unless the attributes are exactly the table's key. */
  assertKey(key: Item): void {
    const names = Object.keys(key);
    if (names.length !== this.#keyNames.length || !names.every((name) => this.#keyNames.includes(name))) {
      throw validationError('The provided key element does not match the schema');
    }
  }

  isKey(name: string): boolean {
    return this.#keyNames.includes(name);
  }

  /** Throws if the item would have an invalid key in an index. */
  assertIndexKeys(item: Item): void {
    for (const { index, partitionKey, sortKey } of [...this.local, ...this.global]) {
      for (const key of sortKey ? [partitionKey, sortKey] : [partitionKey]) {
        const value = item[key.name];
        if (value && (value[key.type] === undefined || value.S === '')) {
          throw validationError(
            `One or more parameter values were invalid: Type mismatch for Index Key ${key.name} Expected: ${key.type} IndexName: ${index}`,
          );
        }
      }
    }
  }

  /** Returns an item's entry in an index, or nothing if it is not in the index. The tie is the table's own sort key. */
  indexEntry({ partitionKey, sortKey, carried = [] }: Shape, item: Item, tie: SortKey): Entry | undefined {
    const key = sortKey && item[sortKey.name];
    if (!key || !item[partitionKey.name]) return undefined;
    const entry = picked(item, carried);
    return { key: sortKeyOf(key), tie, item: entry, bytes: itemBytes(entry) };
  }

  #carried(keys: readonly TableKey[], projected: readonly string[]): readonly string[] {
    return [...new Set([...this.#keyNames, ...keys.map(({ name }) => name), ...projected])];
  }
}

/** Returns a partition key as text. */
export function keyText(value: AttributeValue): string {
  return value.S ?? value.N ?? '';
}

export function sortKeyOf(value: AttributeValue): SortKey {
  if (value.S !== undefined) return sortable(value.S);
  const number = Number(value.N);
  if (!Number.isSafeInteger(number)) throw new RangeError(`the model has no sort keys such as ${value.N}`);
  return number;
}

function keyValue(item: Item, { name, type }: TableKey, mostBytes: number): AttributeValue {
  const value = item[name];
  if (value?.[type] === undefined) {
    throw validationError(
      `One or more parameter values were invalid: Missing the key ${name} in the item, or its type is not ${type}`,
    );
  }
  const bytes = value.S === undefined ? 1 : Buffer.byteLength(value.S);
  if (bytes === 0)
    throw validationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  if (bytes > mostBytes)
    throw validationError(
      `One or more parameter values were invalid: Size of ${name} has exceeded the maximum size limit of ${mostBytes} bytes`,
    );
  return normalized(value);
}

function picked(item: Item, names: readonly string[]): Item {
  const some: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = item[name];
    if (value) some[name] = value;
  }
  return some;
}
