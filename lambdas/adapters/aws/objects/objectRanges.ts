import type { IndexLookup, IndexName } from '../../../objects/indexes.ts';
import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { ListOptions } from '../../../ports/ObjectStore.ts';
import { isIndexed, mayBeFoundByName, placesOf, podNamePrefix } from './objectItem.ts';

/** A range of one partition, in the table itself or in one of its indexes, in the order of names. */
export interface ObjectRange {
  readonly resource: GroupResource;
  readonly place: string;
  readonly by: 'name' | IndexName;
  /** Only objects with this index value are wanted. */
  readonly lookup?: IndexLookup | undefined;
  /** Only names after this one. */
  readonly after?: string | undefined;
  /** Only names that begin with this text. */
  readonly prefix?: string;
}

/**
 * Returns the ranges that together hold the objects of one namespace that a list wants. The pods of a controller are in two ranges of each partition: those whose names begin with its
 * name, and the others, which are in the index. Pure.
 */
export function objectRanges(
  resource: GroupResource,
  namespace: string,
  { index: lookup, after }: { readonly index?: ListOptions['index']; readonly after?: string | undefined },
): readonly ObjectRange[] {
  return placesOf(resource, namespace).flatMap((place): ObjectRange[] => {
    const range = { resource, place, lookup, after };
    if (!lookup || !isIndexed(resource)) return [{ ...range, by: 'name' }];
    const isByName = lookup.name === 'controller' && lookup.value !== '' && mayBeFoundByName(resource);
    if (!isByName) return [{ ...range, by: lookup.name }];
    if (lookup.ownerName === undefined) return [{ ...range, by: 'name' }];
    const prefix = podNamePrefix(lookup.ownerName);
    const indexed: ObjectRange = { ...range, by: 'controller' };
    return isBehind(prefix, after) ? [indexed] : [indexed, { ...range, by: 'name', prefix }];
  });
}

/** Whether all names that begin with the prefix come before `after`. */
function isBehind(prefix: string, after: string | undefined): boolean {
  return after !== undefined && after > prefix && !after.startsWith(prefix);
}
