import { type DerValue, readDer } from './readDer.ts';

const COMMON_NAME = '550403';
const SEQUENCE = 0x30;
const SET = 0x31;
/** More than any name has. */
const MOST_PARTS = 100;

/** Returns the common name of the subject of a certificate request (PKCS #10, RFC 2986), given in PEM; `undefined` for what is no such request, `''` if it has none. Pure. */
export function commonNameOfRequest(pem: string): string | undefined {
  const base64 = /-----BEGIN [A-Z ]+-----([^-]*)-----END/.exec(pem)?.[1];
  const [request] = readDer(Buffer.from(base64 ?? '', 'base64'), 1) ?? [];
  const [info] = partsOf(request, SEQUENCE);
  const [, subject] = partsOf(info, SEQUENCE);
  if (subject === undefined) return undefined;
  const attributes = partsOf(subject, SEQUENCE).flatMap((set) => partsOf(set, SET));
  const names = attributes.flatMap((attribute) => {
    const [type, value] = partsOf(attribute, SEQUENCE);
    return type?.content.toString('hex') === COMMON_NAME && value ? [value.content.toString('utf8')] : [];
  });
  // The last one counts, as in Go.
  return names.at(-1) ?? '';
}

function partsOf(value: DerValue | undefined, tag: number): readonly DerValue[] {
  return value?.tag === tag ? (readDer(value.content, MOST_PARTS) ?? []) : [];
}
