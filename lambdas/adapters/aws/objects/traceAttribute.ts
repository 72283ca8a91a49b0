import { decodeWriteTrace, encodeWriteTrace, type WriteTrace } from '../../../ports/TraceContext.ts';
import { type ObjectItem, TRACE, versionOf } from './objectItem.ts';
import type { ItemWrite } from './ObjectTable.ts';

/**
 * Returns the write with the trace in which it is made, some 80 bytes. It names its version: the release before leaves the attribute as it is when it writes the object, and then it tells nothing of that write. Pure.
 */
export function withTrace(write: ItemWrite, version: number, trace: WriteTrace | undefined): ItemWrite {
  if (!trace) return write;
  return {
    ...write,
    set: { ...write.set, [TRACE]: { S: `${version} ${encodeWriteTrace(trace)}` } },
    remove: write.remove.filter((attribute) => attribute !== TRACE),
  };
}

/** Returns the trace in which an item's last write was made; `undefined` if that was in none. Pure. */
export function traceOf(item: ObjectItem): WriteTrace | undefined {
  const [version, text] = item[TRACE]?.S?.split(' ') ?? [];
  return version === String(versionOf(item)) ? decodeWriteTrace(text) : undefined;
}
