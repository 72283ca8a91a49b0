import type { UserInfo } from '../rbac/UserInfo.ts';

/** An object that a token names. The token is valid as long as the object with this UID exists. */
export interface NamedObject {
  readonly name: string;
  /** Absent for the node of a pod, if the node is not registered. */
  readonly uid?: string;
}

/** The claims of a service account's token, in the form that Kubernetes gives them. Times are in seconds since the epoch. */
export interface TokenClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  /** The id of this token. */
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: NamedObject;
    readonly pod?: NamedObject;
    readonly secret?: NamedObject;
    readonly serviceaccount: NamedObject;
    /** From then on the token counts as stale, although it is still valid. */
    readonly warnafter?: number;
  };
  readonly nbf: number;
  readonly sub: string;
}

/** The objects to which a token is bound. */
export type Binding = Pick<TokenClaims['kubernetes.io'], 'node' | 'pod' | 'secret'>;

const GROUP = 'system:serviceaccounts';
const EXTRA = 'authentication.kubernetes.io';

/** The name that a service account has as a user. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The user who presents a token with these claims: apiserver's `ServiceAccountInfo.UserInfo`. Pure. */
export function userOfClaims({
  jti,
  'kubernetes.io': { namespace, node, pod, serviceaccount },
}: TokenClaims): UserInfo {
  return {
    username: serviceAccountUsername(namespace, serviceaccount.name),
    uid: serviceaccount.uid ?? '',
    groups: [GROUP, `${GROUP}:${namespace}`, 'system:authenticated'],
    extra: {
      [`${EXTRA}/credential-id`]: [`JTI=${jti}`],
      ...(node && { [`${EXTRA}/node-name`]: [node.name] }),
      ...(node?.uid !== undefined && { [`${EXTRA}/node-uid`]: [node.uid] }),
      ...(pod && { [`${EXTRA}/pod-name`]: [pod.name] }),
      ...(pod?.uid !== undefined && { [`${EXTRA}/pod-uid`]: [pod.uid] }),
    },
  };
}

/** The claims as a text for a header or an environment: base64url. */
export function encodeClaims(claims: TokenClaims): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

/** The claims of such a text. `undefined` for a text that `encodeClaims` has not made. */
export function decodeClaims(text: string): TokenClaims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<TokenClaims> | null;
    return typeof claims?.['kubernetes.io']?.serviceaccount?.name === 'string' ? (claims as TokenClaims) : undefined;
  } catch {
    return undefined;
  }
}
