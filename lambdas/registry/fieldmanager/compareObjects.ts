import { isDeepStrictEqual } from 'node:util';
import { type FieldNode, FieldSet, NOTHING } from './FieldSet.ts';
import { itemsByElement } from './listElements.ts';
import {
  asList,
  asMap,
  type JsonMap,
  type ListSchema,
  type MapSchema,
  memberSchema,
  type MergeSchema,
  type Shape,
  shapeOf,
} from './MergeSchema.ts';
import { fieldElement, type PathElement } from './pathElement.ts';

/** How an object differs from an older one. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Difference = keyof Comparison;

/** Compares two objects of one kind by what can be owned. Throws FieldManagerError for a list item that has no step. */
export function compareObjects(old: unknown, object: unknown, schema: MergeSchema): Comparison {
  return compareValues(old, object, schema).below;
}

/** What became of a value itself, and of what lies below it. A value that is only there, or only gone, has a difference here and one for each of its parts. */
interface ValueComparison {
  readonly here: readonly Difference[];
  readonly below: Comparison;
}

const DIFFERENCES: readonly Difference[] = ['added', 'modified', 'removed'];
const LEAF: FieldNode = { member: true, children: NOTHING };
const SAME: Comparison = { added: NOTHING, modified: NOTHING, removed: NOTHING };

/** `undefined` is a value that is not there; `null` is a value. */
function compareValues(old: unknown, value: unknown, schema: MergeSchema): ValueComparison {
  const before = shapeOf(schema, old);
  const after = shapeOf(schema, value);
  const changesShape = old !== undefined && value !== undefined && before.is !== after.is;
  if (!changesShape) return compareAs(value === undefined ? before : after, old, value);
  // It is read in both shapes: what one of them does not see, the other does.
  return joined(compareAs(before, old, value), compareAs(after, old, value));
}

function compareAs(shape: Shape, old: unknown, value: unknown): ValueComparison {
  if (shape.is === 'list' && shape.list.type !== 'atomic') {
    const [left, right] = [asList(old), asList(value)];
    if (left.length > 0 || right.length > 0) return within(old, value, compareLists(left, right, shape.list));
  }
  if (shape.is === 'map' && !shape.map.atomic) {
    const below = compareMaps(asMap(old), asMap(value), shape.map);
    if (below !== undefined) return within(old, value, below);
  }
  return { here: leafDifference(old, value), below: SAME };
}

function within(old: unknown, value: unknown, below: Comparison): ValueComparison {
  return { here: old === undefined ? ['added'] : value === undefined ? ['removed'] : [], below };
}

function leafDifference(old: unknown, value: unknown): Difference[] {
  if (old === undefined) return ['added'];
  if (value === undefined) return ['removed'];
  return isDeepStrictEqual(old, value) ? [] : ['modified'];
}

/** Gathers the comparisons of the parts of a value. */
class ComparisonBuilder implements Comparison {
  readonly added = new FieldSet();
  readonly modified = new FieldSet();
  readonly removed = new FieldSet();

  put(element: PathElement, { here, below }: ValueComparison): void {
    if (below === SAME) {
      for (const difference of here) this[difference].put(element, LEAF);
      return;
    }
    for (const difference of DIFFERENCES) {
      this[difference].put(element, { member: here.includes(difference), children: below[difference] });
    }
  }
}

/** `undefined` if both maps are empty. */
function compareMaps(old: JsonMap, map: JsonMap, schema: MapSchema): Comparison | undefined {
  const names = new Set([...Object.keys(old), ...Object.keys(map)]);
  if (names.size === 0) return undefined;
  const parts = new ComparisonBuilder();
  for (const name of names) {
    const [left, right] = [ownMember(old, name), ownMember(map, name)];
    if (left === right) continue;
    parts.put(fieldElement(name), compareValues(left, right, memberSchema(schema, name)));
  }
  return parts;
}

function ownMember(map: JsonMap, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function compareLists(old: readonly unknown[], list: readonly unknown[], schema: ListSchema): Comparison {
  const [before, after] = [itemsByElement(old, schema), itemsByElement(list, schema)];
  const parts = new ComparisonBuilder();
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    parts.put(element, compareItems(before.get(element) ?? [], after.get(element) ?? [], schema.items));
  }
  return parts;
}

/** Compares the items of one step. Several items with the same keys are one value: they are there, differ or are gone together. */
function compareItems(old: readonly unknown[], items: readonly unknown[], schema: MergeSchema): ValueComparison {
  if (old.length <= 1 && items.length <= 1) return compareValues(old[0], items[0], schema);
  if (old.length > 1 && items.length > 1)
    return { here: isDeepStrictEqual(old, items) ? [] : ['modified'], below: SAME };
  const same: ValueComparison = { here: [], below: SAME };
  const single = old.length > 1 ? items : old;
  const [left, right] = old.length > 1 ? [undefined, single[0]] : [single[0], undefined];
  const alone = single.length === 0 ? same : compareValues(left, right, schema);
  return { here: [...alone.here, old.length > 1 ? 'removed' : 'added'], below: alone.below };
}

function joined(a: ValueComparison, b: ValueComparison): ValueComparison {
  return {
    here: [...a.here, ...b.here],
    below: {
      added: a.below.added.union(b.below.added),
      modified: a.below.modified.union(b.below.modified),
      removed: a.below.removed.union(b.below.removed),
    },
  };
}
