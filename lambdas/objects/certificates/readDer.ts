/** One value in DER (ITU-T X.690): a tag, a length and the contents. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** With the tag and the length. */
  readonly whole: Buffer;
}

const LONG_FORM = 0x80;
const MAX_LENGTH_BYTES = 4;

/** Returns the values that follow each other, at most `most` of them; undefined if the data ends too early or if a length is not one of DER. Pure. */
export function readDer(bytes: Buffer, most: number): DerValue[] | undefined {
  const values: DerValue[] = [];
  let rest = bytes;
  while (rest.length > 0 && values.length < most) {
    const value = readValue(rest);
    if (value === undefined) return undefined;
    values.push(value);
    rest = rest.subarray(value.whole.length);
  }
  return values;
}

function readValue(bytes: Buffer): DerValue | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < LONG_FORM ? 0 : first - LONG_FORM;
  const start = 2 + lengthBytes;
  if (first === LONG_FORM || lengthBytes > MAX_LENGTH_BYTES || bytes.length < start) return undefined;
  const end = start + (lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes));
  if (bytes.length < end) return undefined;
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(0, end) };
}
