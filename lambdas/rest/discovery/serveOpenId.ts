import { ALGORITHM, ISSUER, type ServiceAccountTokens } from '../authentication/ServiceAccountTokens.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';
/** How long others may keep the documents, as Kubernetes says. */
const MAX_AGE_SECONDS = 3_600;

/**
 * Answers the two documents with which others verify the tokens of service accounts: OpenID Connect Discovery 1.0, and the public keys. `undefined` for any other path. `base` is
 * the URL of the API, without a slash at the end.
 */
export async function serveOpenId(
  tokens: ServiceAccountTokens,
  path: string,
  base: string,
): Promise<Response | undefined> {
  switch (path.replace(/\/$/, '')) {
    case CONFIGURATION:
      return document('application/json', {
        issuer: ISSUER,
        jwks_uri: `${base}${KEYS}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [ALGORITHM],
      });
    case KEYS:
      return document('application/jwk-set+json', await tokens.publicKeys());
    default:
      return undefined;
  }
}

function document(type: string, value: object): Response {
  const headers = { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, 'Content-Type': type };
  return new Response(JSON.stringify(value), { headers });
}
