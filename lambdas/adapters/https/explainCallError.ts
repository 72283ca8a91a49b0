import { ForbiddenAddressError } from './guardConnection.ts';

/** The errors of an HTTPS connection in the words of Go's client. Other errors keep Node's words. */
const TEXTS: Readonly<Record<string, string>> = {
  ECONNRESET: 'EOF',
  EPIPE: 'write: broken pipe',
  CERT_HAS_EXPIRED: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  EPROTO: 'http: server gave HTTP response to HTTPS client',
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
};

/** What OpenSSL says of a chain that ends in no authority of the bundle. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What a connection to an address can end in before it is open. */
const DIAL_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
};

/** `dial tcp 127.0.0.1:443: ` */
function dialed({ host, port }: { readonly host: string; readonly port: number }): string {
  return `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: `;
}

/** Says why a call failed. `isOverdue`: its time had ended. */
export function explainCallError(
  error: unknown,
  address: { readonly host: string; readonly port: number },
  isOverdue: boolean,
): string {
  if (isOverdue) return 'context deadline exceeded';
  if (error instanceof ForbiddenAddressError) return dialed(address) + error.message;
  const { code = '', message, reason } = firstOf(error);
  const dialing = DIAL_TEXTS[code];
  if (dialing !== undefined) return dialed(address) + dialing;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${address.host}: no such host`;
  if (UNKNOWN_AUTHORITY.has(code))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${reason ?? message}`;
  return TEXTS[code] ?? message;
}

interface CallError extends Error {
  readonly code?: string;
  /** What is wrong with the names of a certificate. */
  readonly reason?: string;
}

/** A host with several addresses fails with the errors of all of them. */
function firstOf(error: unknown): CallError {
  if (error instanceof AggregateError) return firstOf(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}
