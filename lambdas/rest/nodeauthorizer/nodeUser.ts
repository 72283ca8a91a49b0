import type { UserInfo } from '../rbac/UserInfo.ts';

/** The group of all kubelets. */
export const NODES_GROUP = 'system:nodes';
/** The beginning of the names of nodes' users. */
export const NODE_PREFIX = 'system:node:';

/** Returns the name of the node that the user is; `undefined` for any other user. A kubelet is `system:node:NAME` in `system:nodes`. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  const isNode =
    username.startsWith(NODE_PREFIX) && username.length > NODE_PREFIX.length && groups.includes(NODES_GROUP);
  return isNode ? username.slice(NODE_PREFIX.length) : undefined;
}
