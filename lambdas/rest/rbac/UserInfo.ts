import type { PolicyRule } from 'kubernetes-types/rbac/v1.js';

/** The user who sends a request, as the authenticator identified it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the authenticator knows, such as the id of a token and the pod that presents it. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Members of this group may do everything, whatever RBAC says. It is the way in if all bindings are lost. */
export const MASTERS_GROUP = 'system:masters';

/** The rules of cluster-admin: every verb on every resource and path. */
export const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
