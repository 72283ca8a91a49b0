/** A question to the authorizer of a request: may this user do this? */
export interface AccessQuestion {
  readonly user: AskingUser;
  readonly access: Access;
}

export interface AskingUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

export type Access = ResourceAccess | { readonly verb: string; readonly path: string };

export interface ResourceAccess {
  readonly verb: string;
  /** `''` for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** `''` for cluster-scoped requests and requests over all namespaces. */
  readonly namespace: string;
  /** `''` for objects of any name. */
  readonly name: string;
  /** Of a list or a watch, as the client wrote it. */
  readonly fieldSelector?: string;
  readonly path?: undefined;
}

/** Answers whether an access is allowed. */
export type AskAccess = (question: AccessQuestion) => boolean;

/** `authorizer` in an expression: a user, and whom to ask what the user may do. */
export class AuthorizerValue {
  readonly user: AskingUser;
  readonly ask: AskAccess;

  constructor(user: AskingUser, ask: AskAccess) {
    this.user = user;
    this.ask = ask;
  }
}

/** `authorizer.path('/healthz')` */
export class PathCheckValue {
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    this.authorizer = authorizer;
    this.path = path;
  }
}

/** `authorizer.group('apps')` */
export class GroupCheckValue {
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** `authorizer.group('apps').resource('deployments')`, and what is said about it after that. */
export class ResourceCheckValue {
  readonly authorizer: AuthorizerValue;
  readonly resource: Omit<ResourceAccess, 'verb'>;

  constructor(authorizer: AuthorizerValue, resource: Omit<ResourceAccess, 'verb'>) {
    this.authorizer = authorizer;
    this.resource = resource;
  }
}

/** What `check('get')` returns. */
export class DecisionValue {
  readonly isAllowed: boolean;

  constructor(isAllowed: boolean) {
    this.isAllowed = isAllowed;
  }
}
