import { isObject } from '../../objects/json.ts';

/** The identity of an item in a merging list: the value of its merge key, or the scalar itself. */
export function identityOf(item: unknown, mergeKey: string): unknown {
  return mergeKey !== '' && isObject(item) ? item[mergeKey] : item;
}

/**
 * Orders a merged list. Items that the patch names keep the patch's order, and items that only the server has keep the server's order. Between an item of each
 * kind, the server's order decides if it has both; otherwise the patch's item comes first. `server` is the list before merging.
 */
export function orderMerged(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  server: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const inPatch = positions(patchOrder, mergeKey);
  const onServer = positions(server, mergeKey);
  const place = (item: unknown, order: ReadonlyMap<unknown, number>) =>
    order.get(identityOf(item, mergeKey)) ?? Number.MAX_SAFE_INTEGER;
  const patched = merged.filter((item) => inPatch.has(identityOf(item, mergeKey)));
  const serverOnly = merged.filter((item) => !inPatch.has(identityOf(item, mergeKey)));
  patched.sort((a, b) => place(a, inPatch) - place(b, inPatch));
  serverOnly.sort((a, b) => place(a, onServer) - place(b, onServer));
  return interleave(serverOnly, patched, (item) => onServer.get(identityOf(item, mergeKey)));
}

/** The first index of each identity. */
export function positions(list: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const found = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!found.has(identity)) found.set(identity, index);
  }
  return found;
}

function interleave(
  serverOnly: readonly unknown[],
  patched: readonly unknown[],
  place: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of patched) {
    const here = place(item) ?? -1;
    while (next < serverOnly.length && (place(serverOnly[next]) ?? here) < here) {
      result.push(serverOnly[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...serverOnly.slice(next)];
}
