import type { TokenRequest as ApiTokenRequest, TokenRequestSpec } from 'kubernetes-types/authentication/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { conflict, invalid as invalidError } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { invalid } from '../../registry/validation/fieldErrors.ts';
import { API_AUDIENCES } from '../authentication/authenticateToken.ts';
import { ISSUER } from '../authentication/ServiceAccountTokens.ts';
import { type Binding, serviceAccountUsername, type TokenClaims } from '../authentication/TokenClaims.ts';

const KIND = 'TokenRequest.authentication.k8s.io';
const DEFAULT_SECONDS = 3_600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
/** A kubelet asks for tokens of this duration: they stay valid for a year, so that clients that never read them again go on working. */
const WARN_ONLY_SECONDS = 3_607;
const EXTENDED_SECONDS = 365 * 86_400;

/** What a client asks for, with its defaults. */
export interface TokenWish extends TokenRequestSpec {
  readonly expirationSeconds: number;
  readonly audiences: string[];
}

/** The names of the service account and of its namespace, as the URL has them. */
interface Place {
  readonly name: string;
  readonly namespace: string;
}

/** The spec with Kubernetes' defaults. Pure. */
export function wishOf({
  audiences = [],
  expirationSeconds = DEFAULT_SECONDS,
  boundObjectRef,
}: Partial<TokenRequestSpec> = {}): TokenWish {
  return {
    audiences: audiences.length > 0 ? audiences : [...API_AUDIENCES],
    expirationSeconds,
    ...(boundObjectRef && { boundObjectRef }),
  };
}

/** Refuses a request whose metadata name another place than its URL. Pure. */
export function refuseOtherPlace({ metadata }: Pick<ApiTokenRequest, 'metadata'>, place: Place): ApiError | undefined {
  for (const field of ['name', 'namespace'] as const) {
    const given = metadata?.[field] ?? '';
    if (given === '' || given === place[field]) continue;
    const what = field === 'name' ? 'name' : 'namespace';
    const detail = `must match the service account ${what} if specified`;
    return invalidError(KIND, place.name, [invalid(`metadata.${field}`, given, detail)]);
  }
  return undefined;
}

/** Refuses a request for another account of this name, and one for a time that is too short or too long. Pure. */
export function refuseWish(uid: string | undefined, wish: TokenWish, account: KubernetesObject): ApiError | undefined {
  const { metadata } = account;
  if (uid !== undefined && uid !== '' && uid !== metadata.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service account (${metadata.uid})`;
    return conflict(KIND, metadata.name, why);
  }
  const errors = validateSeconds(wish.expirationSeconds);
  return errors.length > 0 ? invalidError(KIND, '', errors) : undefined;
}

function validateSeconds(seconds: number): FieldError[] {
  const refuse = (detail: string) => [invalid('spec.expirationSeconds', seconds, detail)];
  if (seconds < SHORTEST_SECONDS) return refuse('may not specify a duration less than 10 minutes');
  return seconds > LONGEST_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

/** The claims of a token that is issued now for the account. `id` is the token's own. Pure. */
export function claimsFor(
  account: KubernetesObject,
  wish: TokenWish,
  binding: Binding,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): TokenClaims {
  const { name, namespace = '', uid } = account.metadata;
  const now = Math.floor(nowMs / 1_000);
  const isExtended =
    binding.pod !== undefined &&
    wish.expirationSeconds === WARN_ONLY_SECONDS &&
    wish.audiences.every((one) => API_AUDIENCES.includes(one));
  return {
    aud: wish.audiences,
    exp: now + (isExtended ? EXTENDED_SECONDS : wish.expirationSeconds),
    iat: now,
    iss: ISSUER,
    jti: id,
    'kubernetes.io': {
      namespace,
      ...binding,
      serviceaccount: { name, uid },
      ...(isExtended && { warnafter: now + WARN_ONLY_SECONDS }),
    },
    nbf: now,
    sub: serviceAccountUsername(namespace, name),
  };
}
