import { badRequest } from '../../objects/apiErrors.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import type { UserInfo } from './UserInfo.ts';
import { forbiddenError, type AccessAttributes } from './AccessAttributes.ts';

const EXTRA = 'impersonate-extra-';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * The user that a request acts as: the one that its `Impersonate-…` headers name (`kubectl --as`), if the sender may impersonate that user; otherwise the
 * sender. Without an authorizer everyone may. Throws Forbidden, and BadRequest for groups or a UID without a user.
 */
export async function impersonatedUser(
  authorizer: Authorizer | undefined,
  user: UserInfo,
  headers: Headers,
): Promise<UserInfo> {
  const username = headers.get('impersonate-user');
  const groups = splitHeader(headers.get('impersonate-group'));
  const uid = headers.get('impersonate-uid');
  const extras = [...headers].flatMap(([name, value]) =>
    name.startsWith(EXTRA) ? [[decodeKey(name.slice(EXTRA.length)), value] as const] : [],
  );
  if (username === null) {
    if (groups.length > 0 || uid !== null || extras.length > 0)
      throw badRequest('requested impersonation without impersonating a user');
    return user;
  }
  const asked = [
    ...subjectsOf(username),
    ...groups.map((name) => attributesOf('', 'groups', name)),
    ...(uid === null ? [] : [attributesOf('authentication.k8s.io', 'uids', uid)]),
    ...extras.map(([key, value]) => attributesOf('authentication.k8s.io', 'userextras', value, key)),
  ];
  for (const attributes of asked) {
    if (authorizer && !(await authorizer.allows(user, attributes))) throw forbiddenError(user, attributes);
  }
  return {
    username,
    groups: withImplied(username, groups),
    ...(uid !== null && { uid }),
    ...(extras.length > 0 && { extra: Object.fromEntries(extras.map(([key, value]) => [key, [value]])) }),
  };
}

/** The key of an extra is percent-encoded, since a header's name may not have all characters. As in Kubernetes, a key that is not stays as it is. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Adds the implied groups. A service account that is impersonated without groups has the groups that its token would give it. */
function withImplied(username: string, asked: readonly string[]): readonly string[] {
  const [, namespace] = SERVICE_ACCOUNT.exec(username) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const groups = asked.length > 0 ? asked : own;
  const implied = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(implied) ? groups : [...groups, implied];
}

/** Splits the joined value of several headers with one name at the commas, which no group name contains. */
function splitHeader(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function subjectsOf(username: string): AccessAttributes[] {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(username) ?? [];
  return namespace !== undefined && name !== undefined
    ? [{ ...attributesOf('', 'serviceaccounts', name), namespace }]
    : [attributesOf('', 'users', username)];
}

function attributesOf(group: string, resource: string, name: string, subresource = '') {
  return { verb: 'impersonate', group, resource, subresource, namespace: '', name };
}
