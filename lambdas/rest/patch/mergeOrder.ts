import { isObject } from './applyMergePatch.ts';

/** What tells the items of a merging list apart: the merge key's value, or a scalar itself. */
export function identityOf(item: unknown, mergeKey: string): unknown {
  return mergeKey !== '' && isObject(item) ? item[mergeKey] : item;
}

/**
 * The order of a merged list: what the patch names stands in the patch's order, what only the server has in the server's, and between the two the server's
 * order decides where it knows both, else the patch's items come first. `server` is the list before merging.
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

/** Where each identity stands first. */
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
