import { type Alias, type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';
import { MAX_VALUES } from './DecodingBudget.ts';

const MAX_REPEATED_KEYS = 100;

/** A key that its map has already. `position` is its offset in the text, in characters. */
export interface RepeatedKey {
  readonly key: string;
  readonly position: number;
}

/** Resolving an alias takes the parser as long as the document has anchors. */
const MAX_ALIASES = 1_000;

interface Inspection {
  /** The nodes that have an anchor, as far as the document was read. */
  readonly anchored: Map<string, unknown>;
  aliases: number;
  readonly repeated: RepeatedKey[];
  /** The number of values below a node, with aliases expanded; `undefined` while the node is being counted. */
  readonly counts: Map<unknown, number | undefined>;
}

/**
 * Looks through a parsed document before it is converted. Returns the keys that a map repeats. Throws Error for a key that is a map or a list, for an alias
 * that leads to itself, and if the document, with its aliases expanded, holds more values than an object may.
 */
export function inspectYaml(document: Document.Parsed): readonly RepeatedKey[] {
  const inspection: Inspection = { anchored: new Map(), aliases: 0, repeated: [], counts: new Map() };
  countValues(inspection, document.contents);
  return inspection.repeated;
}

function countValues(inspection: Inspection, node: unknown): number {
  const { counts } = inspection;
  if (isAlias(node)) return countAlias(inspection, node);
  noteAnchor(inspection, node);
  if (!isMap(node) && !isSeq(node)) return 1;
  counts.set(node, undefined);
  let count = 1;
  if (isSeq(node)) for (const item of node.items) count += countValues(inspection, item);
  else {
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      checkKey(inspection, key, seen);
      count += countValues(inspection, value);
    }
  }
  // Checked at each collection: the counts of nested aliases multiply.
  if (count > MAX_VALUES)
    throw new Error('Excessive alias count: with its aliases expanded, the document holds too many values');
  counts.set(node, count);
  return count;
}

/** The values of the node that an alias repeats: it stands before the alias, so it is counted already, or the alias is inside of it. */
function countAlias(inspection: Inspection, alias: Alias): number {
  const node = resolveAlias(inspection, alias);
  if (!isMap(node) && !isSeq(node)) return 1;
  const known = inspection.counts.get(node);
  if (known === undefined) throw new Error('anchor contains itself');
  return known;
}

function resolveAlias(inspection: Inspection, alias: Alias): unknown {
  inspection.aliases += 1;
  if (inspection.aliases > MAX_ALIASES)
    throw new Error(`Excessive alias count: at most ${MAX_ALIASES} aliases are allowed`);
  return inspection.anchored.get(alias.source);
}

function noteAnchor({ anchored }: Inspection, node: unknown): void {
  if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) anchored.set(node.anchor, node);
}

function checkKey(inspection: Inspection, key: unknown, seen: Set<string>): void {
  const { repeated } = inspection;
  noteAnchor(inspection, key);
  const scalar = isAlias(key) ? resolveAlias(inspection, key) : key;
  if (isMap(scalar) || isSeq(scalar)) throw new Error('invalid map key: a map or a list cannot be a key');
  const name = isScalar(scalar) ? String(scalar.value) : '';
  // A merge key may come more than once.
  if (seen.has(name) && name !== '<<' && repeated.length < MAX_REPEATED_KEYS) {
    repeated.push({ key: name, position: (isScalar(key) ? key.range?.[0] : undefined) ?? 0 });
  }
  seen.add(name);
}
