import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

/** Who sends a request, as the authenticator says. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Members may do everything, whatever RBAC says: the way in when all bindings are lost. */
export const MASTERS_GROUP = 'system:masters';

/** What cluster-admin holds: every verb on every resource and path. */
export const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
