/** A request for a certificate (PKCS #10), as far as a signer has to know it. */
export interface CertificateRequest {
  /** `''` if the subject has none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
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
  /** Reads a request in PEM. `undefined` if it is not one, or if its signature is not by the key in it. */
  decodeRequest(pem: string): Promise<CertificateRequest | undefined>;

  /** Signs a certificate for the subject, the names and the key of a request, and returns it in PEM. The caller has decided that the request may be signed. */
  sign(requestPem: string, terms: CertificateTerms): Promise<string>;
}
