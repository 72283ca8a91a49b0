import { badRequest } from '../../objects/apiErrors.ts';
import type { Authorizer } from './createRbacAuthorizer.ts';
import type { UserInfo } from './UserInfo.ts';
import { forbiddenError, type AccessAttributes } from './AccessAttributes.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Who the request acts as: its user, or whom its `Impersonate-…` headers name, if the user may impersonate them (`kubectl --as`). Throws Forbidden, and
 * BadRequest for groups or a UID without a user.
 */
export async function impersonatedUser(authorizer: Authorizer, user: UserInfo, headers: Headers): Promise<UserInfo> {
  const username = headers.get('impersonate-user');
  const groups = listed(headers.get('impersonate-group'));
  const uid = headers.get('impersonate-uid');
  const extras = [...headers.keys()].filter((name) => name.startsWith('impersonate-extra-'));
  if (username === null) {
    if (groups.length > 0 || uid !== null || extras.length > 0)
      throw badRequest('requested impersonation without impersonating a user');
    return user;
  }
  const asked = [
    ...subjectsOf(username),
    ...groups.map((name) => about('', 'groups', name)),
    ...(uid === null ? [] : [about('authentication.k8s.io', 'uids', uid)]),
    ...extras.map((name) =>
      about('authentication.k8s.io', 'userextras', headers.get(name) ?? '', name.slice('impersonate-extra-'.length)),
    ),
  ];
  for (const attributes of asked) {
    if (!(await authorizer.allows(user, attributes))) throw forbiddenError(user, attributes);
  }
  return { username, groups: withImplied(username, groups), ...(uid !== null && { uid }) };
}

/** A service account that is impersonated without groups has those that its token would give it. */
function withImplied(username: string, asked: readonly string[]): readonly string[] {
  const [, namespace] = SERVICE_ACCOUNT.exec(username) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const groups = asked.length > 0 ? asked : own;
  const implied = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(implied) ? groups : [...groups, implied];
}

/** Several headers of one name arrive joined by commas, which no group name contains. */
function listed(value: string | null): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function subjectsOf(username: string): AccessAttributes[] {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(username) ?? [];
  return namespace !== undefined && name !== undefined
    ? [{ ...about('', 'serviceaccounts', name), namespace }]
    : [about('', 'users', username)];
}

function about(group: string, resource: string, name: string, subresource = '') {
  return { verb: 'impersonate', group, resource, subresource, namespace: '', name };
}
