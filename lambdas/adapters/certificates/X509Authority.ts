import type { webcrypto } from 'node:crypto';
import { parseCertificateRequest } from '../../objects/certificates/parseCertificateRequest.ts';
import type {
  CertificateAuthority,
  CertificateRequest,
  CertificateTerms,
  CertificateUsage,
} from '../../ports/CertificateAuthority.ts';
import { loadX509, type X509 } from './loadX509.ts';

/** A certificate and its key, in PEM (the key in PKCS #8). */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Names and addresses of a server. */
export interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** What a certificate is issued for, if nobody requested it. */
export interface OwnCertificate {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly names?: ServerNames;
  readonly terms: CertificateTerms;
}

type CryptoKey = webcrypto.CryptoKey;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const SUBJECT_ALT_NAME = '2.5.29.17';
const SERIAL_BYTES = 16;
const EXTENDED_USAGES: Readonly<Partial<Record<CertificateUsage, string>>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
};

/** A certificate authority with an ECDSA key (P-256), which signs X.509 certificates of version 3 (RFC 5280). */
export class X509Authority implements CertificateAuthority {
  readonly #own: CertificateAndKey;

  constructor(own: CertificateAndKey) {
    this.#own = own;
  }

  /** Makes an authority of that name. Resolves to its certificate and key. */
  static async create(commonName: string, terms: Omit<CertificateTerms, 'usages'>): Promise<CertificateAndKey> {
    const x509 = await loadX509();
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const { digitalSignature, keyEncipherment, keyCertSign } = x509.KeyUsageFlags;
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: newSerial(),
      name: [{ CN: [commonName] }],
      notBefore: new Date(terms.notBeforeMs),
      notAfter: new Date(terms.notAfterMs),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature | keyEncipherment | keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { certificate: pemOf(certificate), privateKey: await keyToPem(x509, keys.privateKey) };
  }

  async decodeRequest(base64: string): Promise<CertificateRequest | undefined> {
    const parsed = parseCertificateRequest(base64);
    if (parsed.status === 'refused') return undefined;
    const { der, subject, commonName, publicKey } = parsed.request;
    const x509 = await loadX509();
    try {
      const names = alternativeNames(x509, new x509.Pkcs10CertificateRequest(Uint8Array.from(der)));
      const valuesOf = (type: string) => names.filter((one) => one.type === type).map(({ value }) => value);
      return {
        subject,
        commonName,
        organizations: subject.filter(({ type }) => type === 'O').map(({ value }) => value),
        dnsNames: valuesOf('dns'),
        ipAddresses: valuesOf('ip'),
        emailAddresses: valuesOf('email'),
        uris: valuesOf('url'),
        publicKey,
      };
    } catch {
      // What a client sends may be anything; the parser's errors have no type of their own.
      return undefined;
    }
  }

  async sign(request: CertificateRequest, terms: CertificateTerms): Promise<string> {
    const x509 = await loadX509();
    const subject = request.subject.map(({ type, value }) => ({ [type]: [value] }));
    const publicKey = await new x509.PublicKey(Uint8Array.from(request.publicKey)).export();
    return await this.#issue(x509, subject, publicKey, namesOf(request), terms);
  }

  /** Makes a key and a certificate for it, for the control plane itself. */
  async issue({ commonName, organizations = [], names, terms }: OwnCertificate): Promise<CertificateAndKey> {
    const x509 = await loadX509();
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const subject = [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }];
    const all = [
      ...(names?.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
      ...(names?.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ];
    const certificate = await this.#issue(x509, subject, keys.publicKey, all, terms);
    return { certificate, privateKey: await keyToPem(x509, keys.privateKey) };
  }

  async #issue(
    x509: X509,
    subject: ConstructorParameters<X509['Name']>[0],
    publicKey: CryptoKey,
    names: ConstructorParameters<X509['GeneralNames']>[0],
    { usages, notBeforeMs, notAfterMs }: CertificateTerms,
  ): Promise<string> {
    const own = new x509.X509Certificate(this.#own.certificate);
    const extended = usages.flatMap((usage) => EXTENDED_USAGES[usage] ?? []);
    // An empty list would allow nothing; no list allows everything, as in Kubernetes' certificates.
    const flags = keyUsageFlags(x509, usages);
    const hasNames = Array.isArray(names) && names.length > 0;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: newSerial(),
      subject,
      issuer: own.subject,
      notBefore: new Date(notBeforeMs),
      notAfter: new Date(notAfterMs),
      publicKey,
      signingKey: await keyFromPem(x509, this.#own.privateKey),
      signingAlgorithm: ALGORITHM,
      extensions: [
        // The library's type knows single flags alone.
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
        ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
        ...(extended.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(extended)]),
        new x509.BasicConstraintsExtension(false, undefined, true),
        await x509.AuthorityKeyIdentifierExtension.create(own),
        ...(hasNames ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ],
    });
    return pemOf(certificate);
  }
}

function keyUsageFlags({ KeyUsageFlags }: X509, usages: readonly CertificateUsage[]): number {
  const signature = usages.includes('digital signature') ? KeyUsageFlags.digitalSignature : 0;
  return signature | (usages.includes('key encipherment') ? KeyUsageFlags.keyEncipherment : 0);
}

function namesOf({ dnsNames, ipAddresses, emailAddresses, uris }: CertificateRequest) {
  return [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ipAddresses.map((value) => ({ type: 'ip' as const, value })),
    ...emailAddresses.map((value) => ({ type: 'email' as const, value })),
    ...uris.map((value) => ({ type: 'url' as const, value })),
  ];
}

function alternativeNames(x509: X509, { extensions }: InstanceType<X509['Pkcs10CertificateRequest']>) {
  const extension = extensions.find(({ type }) => type === SUBJECT_ALT_NAME);
  return extension ? new x509.SubjectAlternativeNameExtension(extension.rawData).names.items : [];
}

/** A random number of 127 bits: a first bit of 0 makes it positive. */
function newSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SERIAL_BYTES));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

function pemOf(certificate: { toString(format: 'pem'): string }): string {
  return `${certificate.toString('pem').trim()}\n`;
}

async function keyToPem({ PemConverter }: X509, key: CryptoKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

async function keyFromPem({ PemConverter }: X509, pem: string): Promise<CryptoKey> {
  return await crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}
