import type { UserInfo } from '../rbac/UserInfo.ts';

const GROUP = 'system:nodes';
const PREFIX = 'system:node:';

/** Returns the name of the node that the user is; `undefined` for any other user. A kubelet is `system:node:NAME` in `system:nodes`. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  const isNode = username.startsWith(PREFIX) && username.length > PREFIX.length && groups.includes(GROUP);
  return isNode ? username.slice(PREFIX.length) : undefined;
}
