import { setMember } from '../../objects/json.ts';
import { elementText, type PathElement } from './pathElement.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import { itemsByElement, listElement } from './listElements.ts';
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

/**
 * Merges what somebody applies into the live object: what the configuration says wins, and what it does not mention stays. Returns a new object; parts that
 * did not change are shared. Throws FieldManagerError if the configuration names an item of a list twice.
 */
export function mergeObjects(live: JsonMap, config: JsonMap, schema: MergeSchema): JsonMap {
  return (mergeValues(live, config, schema) ?? {}) as JsonMap;
}

/** `undefined` is a value that is not there. A map or list of which nothing is left is not there either. */
function mergeValues(live: unknown, config: unknown, schema: MergeSchema): unknown {
  if (config === undefined) return live;
  const shape = shapeOf(schema, config);
  return mergeAs(shape, live, config);
}

function mergeAs(shape: Shape, live: unknown, config: unknown): unknown {
  if (shape.is === 'map' && !shape.map.atomic) {
    const [left, right] = [asMap(live), asMap(config)];
    if (hasMembers(left) || hasMembers(right)) return mergeMaps(left, right, shape.map);
  }
  if (shape.is === 'list' && shape.list.type !== 'atomic') {
    const [left, right] = [asList(live), asList(config)];
    if (left.length > 0 || right.length > 0) return mergeLists(left, right, shape.list);
  }
  return config;
}

function hasMembers(map: JsonMap): boolean {
  return Object.keys(map).length > 0;
}

function mergeMaps(live: JsonMap, config: JsonMap, schema: MapSchema): unknown {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(config)])) {
    const [left, right] = [live, config].map((one) => (Object.hasOwn(one, name) ? one[name] : undefined));
    const value = mergeValues(left, right, memberSchema(schema, name));
    if (value !== undefined) setMember(merged, name, value);
  }
  return hasMembers(merged) ? merged : undefined;
}

/**
 * Merges lists whose items are owned one by one. The items of the configuration keep its order, those that only the live list has keep theirs; where both
 * orders allow it, an item that only the live list has stays before the configuration's next item.
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], schema: ListSchema): unknown {
  const liveElements = live.map((item, index) => listElement(item, schema, index));
  const liveItems = itemsByElement(live, schema);
  const configItems = itemsByElement(config, schema);
  for (const [element, { length }] of configItems) {
    if (length > 1) throw new FieldManagerError(`duplicate entries for key ${elementText(element)}`);
  }
  const order = mergedOrder(liveElements, [...configItems.keys()], { liveItems, configItems });
  const merged = order.map(({ element, liveIndex }) => {
    // Items that the live list has several times are kept as they are, unless the configuration says what the one item is.
    const left = liveIndex === undefined ? single(liveItems.get(element)) : live[liveIndex];
    return mergeValues(left, configItems.get(element)?.[0], schema.items);
  });
  const kept = merged.filter((item) => item !== undefined);
  return kept.length > 0 ? kept : undefined;
}

function single(items: readonly unknown[] | undefined): unknown {
  return items?.length === 1 ? items[0] : items === undefined ? undefined : null;
}

interface Known {
  readonly liveItems: ReadonlyMap<PathElement, unknown>;
  readonly configItems: ReadonlyMap<PathElement, unknown>;
}

/** A place in the merged list: an item that only the live list has, told by its place there, or an item of the configuration. */
interface Place {
  readonly element: PathElement;
  readonly liveIndex?: number;
}

/** Walks through both lists at once, as structured-merge-diff does, so that the result has its order. */
function mergedOrder(live: readonly PathElement[], config: readonly PathElement[], known: Known): Place[] {
  const places: Place[] = [];
  const placed = new Set<PathElement>();
  // The items that both lists have, in the configuration's order: the next of them decides when the walk leaves the live list.
  const shared = config.filter((element) => known.liveItems.has(element));
  let nextShared = shared.shift();
  const takeConfig = (element: PathElement) => {
    placed.add(element);
    places.push({ element });
    if (nextShared === element) nextShared = shared.shift();
  };
  for (let left = 0, right = 0; left < live.length || right < config.length; ) {
    const [ours, theirs] = [live[left], config[right]];
    if (ours !== undefined && theirs !== undefined) {
      if (ours === theirs) {
        takeConfig(ours);
        left += 1;
        right += 1;
        continue;
      }
      if (known.configItems.has(ours) && nextShared !== undefined && nextShared !== ours) {
        left += 1;
        continue;
      }
    }
    if (ours !== undefined) {
      if (!known.configItems.has(ours)) {
        places.push({ element: ours, liveIndex: left });
        left += 1;
        continue;
      }
      if (placed.has(ours)) left += 1;
    }
    if (theirs !== undefined) {
      takeConfig(theirs);
      right += 1;
    }
  }
  return places;
}
