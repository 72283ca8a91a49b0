import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface Certificate {
  /** Both in PEM. */
  readonly certificate: string;
  readonly privateKey: string;
}

const LIFETIME_MS = 365 * 24 * 3_600_000;
/** Clients' clocks may be behind. */
const BACKDATED_MS = 3_600_000;

const INTEGER = 0x02;

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';

/**
 * Creates a self-signed certificate for 127.0.0.1 and localhost, with its key (P-256). It is needed because kubectl sends a bearer token over TLS only. The format
 * is X.509 version 3 (RFC 5280).
 */
export function selfSignedCertificate(nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  const name = sequence(set(sequence(objectIdentifier(COMMON_NAME), element(0x0c, Buffer.from('driftless')))));
  const signed = sequence(
    element(0xa0, element(INTEGER, Buffer.from([2]))),
    // The leading 1 makes the number positive.
    element(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(nowMs - BACKDATED_MS), time(nowMs + LIFETIME_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(alternativeNames(), basicConstraints())),
  );
  const signature = sign('sha256', signed, privateKey);
  const der = sequence(signed, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    certificate: new X509Certificate(der).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function alternativeNames(): Buffer {
  const names = sequence(element(0x82, Buffer.from('localhost')), element(0x87, Buffer.from([127, 0, 0, 1])));
  return sequence(objectIdentifier(SUBJECT_ALT_NAME), element(0x04, names));
}

/** The certificate is its own authority. */
function basicConstraints(): Buffer {
  const isAuthority = element(0x01, Buffer.from([0xff]));
  return sequence(objectIdentifier(BASIC_CONSTRAINTS), isAuthority, element(0x04, sequence(isAuthority)));
}

/** One DER element: tag, length, content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function sequence(...elements: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

function set(...elements: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(elements));
}

function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return element(0x17, Buffer.from(digits.slice(2)));
}

/** The first two numbers share a byte. The others are in base 128, with the high bit set in all bytes but the last. */
function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
