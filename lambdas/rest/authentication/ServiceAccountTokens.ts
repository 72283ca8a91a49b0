import { createHash, createPublicKey } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import type { Clock } from '../../ports/Clock.ts';
import type { SigningKeys } from '../../ports/SigningKeys.ts';
import type { TokenClaims } from './TokenClaims.ts';

/** kubeadm's default for `--service-account-issuer`, which is the audience of the API as well. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** ECDSA on P-256: Kubernetes takes such keys as well as RSA's, and they are made within a millisecond. */
export const ALGORITHM = 'ES256';
/** How far the clocks of those who sign and those who verify may be apart: go-jose's leeway, which Kubernetes uses. */
const LEEWAY_SECONDS = 60;

export const EXPIRED = 'service account token has expired';

/** True if the token is over, with the leeway for other clocks. Pure. */
export function isExpired({ exp }: Pick<TokenClaims, 'exp'>, nowMs: number): boolean {
  return nowMs >= (exp + LEEWAY_SECONDS) * 1_000;
}

export interface TokenParts {
  readonly signingKeys: SigningKeys;
  readonly clock: Pick<Clock, 'now'>;
}

export type VerifiedToken =
  | { readonly status: 'verified'; readonly claims: TokenClaims }
  /** `why` is empty for what is no token of ours. */
  | { readonly status: 'refused'; readonly why: string };

interface KeyPair {
  readonly privateKey: JWK;
  readonly publicKey: JWK;
}

/**
 * Signs and verifies the tokens of service accounts: JSON Web Tokens (RFC 7519). The key is made when it is first needed, and the library
 * is loaded then.
 */
export class ServiceAccountTokens {
  readonly #parts: TokenParts;
  #known: Promise<KeyPair> | undefined;

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  async sign(claims: TokenClaims): Promise<string> {
    const { SignJWT, importJWK } = await import('jose');
    const { privateKey } = await this.#keys();
    const { iss, sub, aud, iat, nbf, exp, jti, ...own } = claims;
    const signer = new SignJWT({ aud: [...aud], exp, iat, iss, jti, ...own, nbf, sub });
    return signer
      .setProtectedHeader({ alg: ALGORITHM, kid: privateKey.kid ?? '' })
      .sign(await importJWK(privateKey, ALGORITHM));
  }

  /** Checks who signed the token, and when it is valid. Whether its objects still exist is for `checkBoundObjects`. */
  async verify(token: string): Promise<VerifiedToken> {
    // Three parts: what else comes as a bearer token costs no look at the key.
    if (token.split('.').length !== 3) return { status: 'refused', why: '' };
    const publicKey = await this.#publicKey();
    if (!publicKey) return { status: 'refused', why: '' };
    const { errors, importJWK, jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(token, await importJWK(publicKey, ALGORITHM), {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#parts.clock.now()),
      });
      // Only we can have signed it, so it has the form that we give to tokens.
      return { status: 'verified', claims: payload as unknown as TokenClaims };
    } catch (error) {
      if (error instanceof errors.JOSEError) return { status: 'refused', why: reasonOf(error) };
      throw error;
    }
  }

  /** The public key, for others who verify tokens. Makes the key if none was made yet. */
  async publicKeys(): Promise<JSONWebKeySet> {
    const { publicKey } = await this.#keys();
    return { keys: [publicKey] };
  }

  async #publicKey(): Promise<JWK | undefined> {
    if (!this.#known) {
      const text = await this.#parts.signingKeys.read();
      // Without a key no token was signed yet.
      if (text === undefined) return undefined;
      this.#known ??= Promise.resolve(parseKeys(text));
    }
    return (await this.#known).publicKey;
  }

  #keys(): Promise<KeyPair> {
    this.#known ??= this.#makeKeys().catch((error: unknown) => {
      // The next request tries again.
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  async #makeKeys(): Promise<KeyPair> {
    const { signingKeys } = this.#parts;
    return parseKeys((await signingKeys.read()) ?? (await signingKeys.keep(await makeKey())));
  }
}

function reasonOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'ERR_JWT_EXPIRED') return EXPIRED;
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && message.includes('"nbf"'))
    return 'service account token is not valid yet';
  return '';
}

/** A private JSON Web Key as text. */
async function makeKey(): Promise<string> {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

function parseKeys(text: string): KeyPair {
  const jwk = JSON.parse(text) as JWK;
  const { kty, crv, x, y } = jwk;
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined)
    throw new Error('the key of the service accounts is no key of the curve P-256');
  const kid = keyId({ kty, crv, x, y });
  return { privateKey: { ...jwk, kid }, publicKey: { use: 'sig', kty, kid, crv, alg: ALGORITHM, x, y } };
}

/** Kubernetes' id of a key: the hash of its public part in DER. */
function keyId(publicJwk: Readonly<Record<'kty' | 'crv' | 'x' | 'y', string>>): string {
  const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
