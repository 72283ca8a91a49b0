import { timingSafeEqual } from 'node:crypto';
import { decodeBootstrapToken, type Secret, TOKEN_NAMESPACE } from '../../objects/certificates/bootstrapToken.ts';
import { API_AUDIENCES, type AuthenticateToken, type TokenReads, type TokenVerdict } from './authenticateToken.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Also authenticates bootstrap tokens, by which a machine asks for its first certificate: `ID.SECRET` of a Secret `bootstrap-token-ID` in `kube-system`. The user is `system:bootstrap:ID` in `system:bootstrappers`, as
 * in Kubernetes. The Secret is read with each request, so a token that is deleted is no longer one.
 */
export function withBootstrapTokens(others: AuthenticateToken, reads: TokenReads): AuthenticateToken {
  return async (token, audiences = API_AUDIENCES) => {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    if (id === undefined || secret === undefined) return await others(token, audiences);
    const wanted = audiences.filter((one) => API_AUDIENCES.includes(one));
    const groups = wanted.length > 0 ? await groupsOf(reads, id, secret) : undefined;
    return groups ? authenticated(id, groups, wanted) : { status: 'refused', error: 'invalid bearer token' };
  };
}

function authenticated(id: string, groups: readonly string[], audiences: readonly string[]): TokenVerdict {
  const user = { username: `system:bootstrap:${id}`, groups: [GROUP, ...groups, 'system:authenticated'] };
  return { status: 'authenticated', user, audiences };
}

/** The further groups of a token; `undefined` if the token does not exist, has expired, or is not for authentication. */
async function groupsOf({ registry, clock }: TokenReads, id: string, secret: string): Promise<string[] | undefined> {
  const place = { resource: 'secrets', namespace: TOKEN_NAMESPACE, name: `bootstrap-token-${id}` };
  const stored = await registry.get<Secret>(place);
  const token = stored && decodeBootstrapToken(stored);
  if (!token?.authenticates || !isEqual(token.secret, secret) || token.endMs <= clock.now()) return undefined;
  const extra = token.groups.split(',').filter(Boolean);
  return extra.every((group) => EXTRA_GROUP.test(group)) ? extra : undefined;
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
