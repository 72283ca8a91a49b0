/** Base64 of this length and more is taken out of a JSON. */
const BASE64 = /"([A-Za-z0-9+/]{1000,}={0,2})"/g;
/** JSON has no control characters, so what stands between these two is the length of the bytes that were taken out. */
const TAKEN_OUT = /\0(\d+)\0/g;
const LENGTH_BYTES = 4;

/**
 * Packs a JSON with long texts in base64 into bytes that compress better: base64 of random bytes compresses to more than these bytes, and base64 of base64, which is what Helm keeps of a release, to a quarter
 * more. The bytes are the length of the remaining text, that text, and what was taken out of it, in order.
 */
export function packBase64(json: string): Buffer {
  const taken: Buffer[] = [];
  const text = json.replace(BASE64, (whole, base64: string) => {
    const bytes = Buffer.from(base64, 'base64');
    // A text of another length is not base64, and the last character may hold bits that the bytes do not.
    if (bytes.toString('base64') !== base64) return whole;
    taken.push(bytes);
    return `\0${bytes.length}\0`;
  });
  const textBytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(textBytes.length);
  return Buffer.concat([length, textBytes, ...taken]);
}

/** Returns the JSON that `packBase64` was given. */
export function unpackBase64(packed: Buffer): string {
  const end = LENGTH_BYTES + packed.readUInt32BE();
  let at = end;
  return packed.toString('utf8', LENGTH_BYTES, end).replace(TAKEN_OUT, (_, length: string) => {
    at += Number(length);
    return `"${packed.toString('base64', at - Number(length), at)}"`;
  });
}
