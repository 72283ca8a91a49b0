import type { SubjectAttribute } from '../objects/certificates/parseCertificateRequest.ts';

/** A request for a certificate (PKCS #10) that was read once: what a signer decides about is what is signed. */
export interface CertificateRequest {
  /** The whole subject of the certificate. */
  readonly subject: readonly SubjectAttribute[];
  /** `''` if the subject has none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** The key's SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Uint8Array;
}

/** What a certificate may be used for, as CertificateSigningRequests name it. */
export type CertificateUsage = 'client auth' | 'server auth' | 'digital signature' | 'key encipherment';

/** How a requested certificate is signed. Times in milliseconds since the epoch. */
export interface CertificateTerms {
  readonly usages: readonly CertificateUsage[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** The cluster's certificate authority. Only a control plane that serves HTTPS with certificates of its own has one. */
export interface CertificateAuthority {
  /** Reads the base64 of a request in PEM, as an object has it. `undefined` if it is not one request alone, or if its signature is not by the key in it. */
  decodeRequest(base64: string): Promise<CertificateRequest | undefined>;

  /** Signs a certificate for the subject, the names and the key of a request, and returns it in PEM. The caller has decided that the request may be signed. */
  sign(request: CertificateRequest, terms: CertificateTerms): Promise<string>;
}
