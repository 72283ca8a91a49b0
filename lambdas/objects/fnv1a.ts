/** The 32-bit FNV-1a hash of a text: the same number for the same text, spread evenly. Names of objects are made of it, so it must never change. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
