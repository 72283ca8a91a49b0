import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

/**
 * Inflates each stored body once. The models share an item among all its readers, so the same bytes would be inflated at each of the five to ten times that an object is read. What is
 * remembered goes with the bytes.
 */
export function rememberInflated(): void {
  const known = new WeakMap<object, ReturnType<typeof zlib.inflateRawSync>>();
  const inflate = zlib.inflateRawSync;
  zlib.inflateRawSync = (bytes, options) => {
    if (typeof bytes === 'string') return inflate(bytes, options);
    const inflated = known.get(bytes) ?? inflate(bytes, options);
    known.set(bytes, inflated);
    return inflated;
  };
  syncBuiltinESMExports();
}
