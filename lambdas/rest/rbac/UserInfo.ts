/** Who sends a request, as the authenticator says. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Members may do everything, whatever RBAC says: the way in when all bindings are lost. */
export const MASTERS_GROUP = 'system:masters';

/** What a user asks to do, as an authorizer sees it. */
export type AccessAttributes =
  | {
      readonly verb: string;
      /** `''` for the core group. */
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      /** `''` for cluster-scoped requests and requests over all namespaces. */
      readonly namespace: string;
      readonly name: string;
      readonly path?: undefined;
    }
  | { readonly verb: string; readonly path: string };
