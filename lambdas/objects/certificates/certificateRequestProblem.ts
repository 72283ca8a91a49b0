import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type DerValue, readDer } from './readDer.ts';

interface KeyType {
  /** In Go's words. */
  readonly name: string;
  readonly goType: string;
}

interface Algorithm {
  readonly keyType: string;
  /** Absent: the algorithm of the key says it. */
  readonly hash?: string;
  readonly isPss?: boolean;
  /** What Go says if the key did not make the signature. */
  readonly mismatch: string;
}

const RSA_MISMATCH = 'crypto/rsa: verification error';
const rsa = (hash: string): Algorithm => ({ keyType: 'rsa', hash, mismatch: RSA_MISMATCH });
const ecdsa = (hash: string): Algorithm => ({ keyType: 'ec', hash, mismatch: 'x509: ECDSA verification failure' });

/** The algorithms of signatures by their object identifiers, in hexadecimal. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['2a864886f70d010105', rsa('sha1')],
  ['2a864886f70d01010b', rsa('sha256')],
  ['2a864886f70d01010c', rsa('sha384')],
  ['2a864886f70d01010d', rsa('sha512')],
  ['2a8648ce3d0401', ecdsa('sha1')],
  ['2a8648ce3d040302', ecdsa('sha256')],
  ['2a8648ce3d040303', ecdsa('sha384')],
  ['2a8648ce3d040304', ecdsa('sha512')],
  ['2b6570', { keyType: 'ed25519', mismatch: 'x509: Ed25519 verification failure' }],
]);
const RSA_PSS = '2a864886f70d01010a';
/** The hashes that RSASSA-PSS is used with, by their object identifiers. */
const PSS_HASHES: ReadonlyMap<string, string> = new Map([
  ['608648016503040201', 'sha256'],
  ['608648016503040202', 'sha384'],
  ['608648016503040203', 'sha512'],
]);
const KEY_TYPES: ReadonlyMap<string | undefined, KeyType> = new Map([
  ['rsa', { name: 'RSA', goType: '*rsa.PublicKey' }],
  ['ec', { name: 'ECDSA', goType: '*ecdsa.PublicKey' }],
  ['ed25519', { name: 'Ed25519', goType: 'ed25519.PublicKey' }],
]);
const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';

/** Says in Go's words what is wrong with a certificate request (PKCS #10, RFC 2986) in DER: it must have the form of one, and be signed by its own key. Undefined: nothing. Pure. */
export function certificateRequestProblem(der: Buffer): string | undefined {
  if (der.length === 0) return 'asn1: syntax error: sequence truncated';
  const [request] = readDer(der, 1) ?? [];
  if (request === undefined) return 'asn1: syntax error: data truncated';
  if (request.whole.length < der.length) return 'asn1: syntax error: trailing data';
  const [signed, identifier, signature] = partsOf(request);
  const [, , keyInfo] = partsOf(signed);
  if (keyInfo?.tag !== SEQUENCE || identifier?.tag !== SEQUENCE || signature?.tag !== BIT_STRING || !signed)
    return "asn1: structure error: tags don't match";
  const key = publicKeyOf(keyInfo.whole);
  const algorithm = algorithmOf(identifier);
  const type = KEY_TYPES.get(key?.asymmetricKeyType);
  if (!key || !algorithm || !type) return UNIMPLEMENTED;
  if (algorithm.keyType !== key.asymmetricKeyType) {
    const wanted = KEY_TYPES.get(algorithm.keyType)?.name ?? '';
    return `x509: signature algorithm specifies an ${wanted} public key, but have public key of type ${type.goType}`;
  }
  // The first byte of a bit string says how many bits of the last one are unused.
  return isSigned(signed.whole, signature.content.subarray(1), algorithm, key) ? undefined : algorithm.mismatch;
}

/** The first three values of a sequence; fewer if there are not as many, and nothing of what is no sequence. */
function partsOf(value: DerValue | undefined): readonly DerValue[] {
  return value?.tag === SEQUENCE ? (readDer(value.content, 3) ?? []) : [];
}

function publicKeyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    // What a client sends may be anything.
    return undefined;
  }
}

function algorithmOf(identifier: DerValue): Algorithm | undefined {
  const [name, parameters] = partsOf(identifier);
  const oid = name?.content.toString('hex') ?? '';
  if (oid !== RSA_PSS) return ALGORITHMS.get(oid);
  // The first parameter is the hash, within a tag that names it.
  const [tagged] = partsOf(parameters);
  const [hashName] = partsOf(readDer(tagged?.content ?? Buffer.alloc(0), 1)?.[0]);
  const hash = PSS_HASHES.get(hashName?.content.toString('hex') ?? '');
  return hash === undefined ? undefined : { ...rsa(hash), isPss: true };
}

function isSigned(data: Buffer, signature: Buffer, { hash, isPss = false }: Algorithm, key: KeyObject): boolean {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  try {
    return verify(hash, data, { key, ...(isPss && pss) }, signature);
  } catch {
    // OpenSSL does not know each key that has the form of one.
    return false;
  }
}
