import { certificateRequestProblem } from './certificateRequestProblem.ts';
import { type DerValue, readDer } from './readDer.ts';

/** The parts of a subject that a certificate takes over, by their object identifiers in hexadecimal, as Go knows them. */
const ATTRIBUTES = {
  '550403': 'CN',
  '550406': 'C',
  '550407': 'L',
  '550408': 'ST',
  '55040a': 'O',
  '55040b': 'OU',
} as const;

/** One part of a subject: `{ type: 'O', value: 'system:nodes' }`. */
export interface SubjectAttribute {
  readonly type: (typeof ATTRIBUTES)[keyof typeof ATTRIBUTES];
  readonly value: string;
}

/** A request for a certificate (PKCS #10, RFC 2986) whose signature is by the key in it. */
export interface ParsedRequest {
  /** In the order of the request, with one common name: if there are several, the last one counts, as in Go. */
  readonly subject: readonly SubjectAttribute[];
  /** `''` if the subject has none. */
  readonly commonName: string;
  /** The key's SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Uint8Array;
  /** The whole request, in DER. */
  readonly der: Uint8Array;
}

export type RequestOutcome =
  | { readonly status: 'parsed'; readonly request: ParsedRequest }
  /** `why` is in Kubernetes' words where it has some. */
  | { readonly status: 'refused'; readonly why: string };

const BLOCK = /^\s*-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----\s*$/;
const SEQUENCE = 0x30;
const SET = 0x31;
const UTF8_STRING = 0x0c;
/** Numbers, printable and IA5 strings: all are ASCII. */
const ASCII_STRINGS: ReadonlySet<number> = new Set([0x12, 0x13, 0x16]);
/** More than any name has. */
const MAX_PARTS = 100;
const MISMATCH = "asn1: structure error: tags don't match";

/**
 * Reads the `spec.request` of a CertificateSigningRequest: the base64 of PEM. It must be one block without headers and nothing else, so that nobody can read another block than the one that is signed. Whoever admits,
 * approves or signs a request goes by this function alone. Pure.
 */
export function parseCertificateRequest(base64: string): RequestOutcome {
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  const text = BLOCK.exec(pem)?.[1];
  if (text === undefined) return { status: 'refused', why: blockProblem(pem) };
  const der = Buffer.from(text, 'base64');
  const why = certificateRequestProblem(der);
  if (why !== undefined) return { status: 'refused', why };
  const [, subject, publicKey] = partsOf(partsOf(readDer(der, 1)?.[0], SEQUENCE)?.[0], SEQUENCE) ?? [];
  const attributes = attributesOf(subject);
  if (!attributes || !publicKey) return { status: 'refused', why: MISMATCH };
  const commonName = attributes.findLast(({ type }) => type === 'CN');
  const kept = attributes.filter((attribute) => attribute.type !== 'CN' || attribute === commonName);
  return {
    status: 'parsed',
    request: { subject: kept, commonName: commonName?.value ?? '', publicKey: publicKey.whole, der },
  };
}

/** Kubernetes takes the first block and passes over the rest. */
function blockProblem(pem: string): string {
  if (!/^\s*-----BEGIN CERTIFICATE REQUEST-----\r?\n/.test(pem)) return 'PEM block type must be CERTIFICATE REQUEST';
  return 'must be exactly one CERTIFICATE REQUEST PEM block without headers, and nothing else';
}

/** The attributes that a certificate takes over; undefined if the subject is not in the form of one. */
function attributesOf(subject: DerValue | undefined): SubjectAttribute[] | undefined {
  const known: SubjectAttribute[] = [];
  const sets = partsOf(subject, SEQUENCE)?.map((set) => partsOf(set, SET));
  if (!sets) return undefined;
  for (const attributes of sets) {
    if (!attributes) return undefined;
    for (const attribute of attributes) {
      const [name, value, more] = partsOf(attribute, SEQUENCE) ?? [];
      const text = value && textOf(value);
      if (!name || text === undefined || more) return undefined;
      const oid = name.content.toString('hex');
      if (isKnown(oid)) known.push({ type: ATTRIBUTES[oid], value: text });
    }
  }
  return known;
}

function isKnown(oid: string): oid is keyof typeof ATTRIBUTES {
  return Object.hasOwn(ATTRIBUTES, oid);
}

/** The text of a string whose type says how to read it. Others, such as T61 strings, are read differently by different programs. */
function textOf({ tag, content }: DerValue): string | undefined {
  if (ASCII_STRINGS.has(tag)) return content.every((byte) => byte < 0x80) ? content.toString('latin1') : undefined;
  if (tag !== UTF8_STRING) return undefined;
  const text = content.toString('utf8');
  return Buffer.from(text, 'utf8').equals(content) ? text : undefined;
}

function partsOf(value: DerValue | undefined, tag: number): readonly DerValue[] | undefined {
  const parts = value?.tag === tag ? readDer(value.content, MAX_PARTS + 1) : undefined;
  return parts && parts.length <= MAX_PARTS ? parts : undefined;
}
