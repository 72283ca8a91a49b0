import { type Document, isAlias, isMap, isScalar, isSeq, type Pair } from 'yaml';
import { MAX_VALUES } from './DecodingBudget.ts';

const MAX_REPEATED_KEYS = 100;

/** A key that its map has already. `position` is its offset in the text, in characters. */
export interface RepeatedKey {
  readonly key: string;
  readonly position: number;
}

interface Inspection {
  readonly document: Document.Parsed;
  readonly repeated: RepeatedKey[];
  /** The number of values below a node, with aliases expanded; `undefined` while the node is being counted. */
  readonly counts: Map<unknown, number | undefined>;
}

/**
 * Looks through a parsed document before it is converted. Returns the keys that a map repeats. Throws Error for a key that is a map or a list, for an alias
 * that leads to itself, and if the document, with its aliases expanded, holds more values than an object may.
 */
export function inspectYaml(document: Document.Parsed): readonly RepeatedKey[] {
  const inspection: Inspection = { document, repeated: [], counts: new Map() };
  countValues(inspection, document.contents);
  return inspection.repeated;
}

function countValues(inspection: Inspection, node: unknown): number {
  const { counts, document } = inspection;
  if (isAlias(node)) return countValues(inspection, node.resolve(document));
  if (!isMap(node) && !isSeq(node)) return 1;
  if (counts.has(node)) {
    const known = counts.get(node);
    if (known === undefined) throw new Error('anchor contains itself');
    return known;
  }
  counts.set(node, undefined);
  let count = 1;
  if (isSeq(node)) for (const item of node.items) count += countValues(inspection, item);
  else {
    checkKeys(inspection, node.items);
    for (const { value } of node.items) count += countValues(inspection, value);
  }
  // Checked at each collection: the counts of nested aliases multiply.
  if (count > MAX_VALUES) throw new Error('Excessive alias count: with its aliases expanded, the document holds too many values');
  counts.set(node, count);
  return count;
}

function checkKeys({ document, repeated }: Inspection, pairs: readonly Pair[]): void {
  const seen = new Set<string>();
  for (const { key } of pairs) {
    const scalar = isAlias(key) ? key.resolve(document) : key;
    if (isMap(scalar) || isSeq(scalar)) throw new Error('invalid map key: a map or a list cannot be a key');
    const name = isScalar(scalar) ? String(scalar.value) : '';
    // A merge key may come more than once.
    if (seen.has(name) && name !== '<<' && repeated.length < MAX_REPEATED_KEYS) {
      repeated.push({ key: name, position: (isScalar(key) ? key.range?.[0] : undefined) ?? 0 });
    }
    seen.add(name);
  }
}
