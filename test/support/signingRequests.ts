import { loadX509 } from '../../lambdas/adapters/certificates/loadX509.ts';
import { X509Authority } from '../../lambdas/adapters/certificates/X509Authority.ts';

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** How a key is made, and how it signs. */
interface KeyAlgorithm {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
  readonly modulusLength?: number;
  readonly publicExponent?: Uint8Array<ArrayBuffer>;
  readonly saltLength?: number;
}

/** Resolves to a certificate request in DER, signed by a key of its own. */
export async function createRequestDer(algorithm: KeyAlgorithm = P256, subject = 'CN=alice'): Promise<Buffer> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: algorithm,
  });
  return Buffer.from(request.rawData);
}

/** A block of PEM in base64, as JSON carries it. */
export function pemBase64(type: string, content: string): string {
  return Buffer.from(`-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`).toString('base64');
}

/** Resolves to the `request` of a CertificateSigningRequest. */
export async function createSigningRequest(subject?: string): Promise<string> {
  return pemBase64('CERTIFICATE REQUEST', (await createRequestDer(P256, subject)).toString('base64'));
}

/** Resolves to the `certificate` of its status: one of an authority that is its own. */
export async function createCertificate(): Promise<string> {
  const terms = { notBeforeMs: 0, notAfterMs: 1_000_000 };
  return Buffer.from((await X509Authority.create('ca', terms)).certificate).toString('base64');
}
