import type { AuthenticateToken } from '../../lambdas/rest/authentication/authenticateToken.ts';
import { API_AUDIENCES } from '../../lambdas/rest/authentication/authenticateToken.ts';
import type { UserOf } from '../../lambdas/rest/createApiApp.ts';
import { MASTERS_GROUP, type UserInfo } from '../../lambdas/rest/rbac/UserInfo.ts';
import { isSame } from '../host/isSame.ts';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** Who a client is by its certificate: `refused` for one that the cluster's authority has not signed, or that has ended; `none` for a client without one. */
type CertificateVerdict =
  | { readonly status: 'authenticated'; readonly user: UserInfo }
  | { readonly status: 'refused' }
  | { readonly status: 'none' };

/** The user of the kubeconfig. Its name is that of kubeadm's. */
const ADMINISTRATOR: UserInfo = { username: 'kubernetes-admin', groups: [MASTERS_GROUP, 'system:authenticated'] };
const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

export interface IdentifyUsersOptions {
  /** Authenticates all tokens but the administrator's. */
  readonly authenticateToken: AuthenticateToken;
  /** The token of the kubeconfig's user. Absent for a server without authentication: there everyone without a token is the administrator. */
  readonly administratorToken: string | undefined;
}

/** Who sends a request to the server of one machine, and whose token a TokenReview is about. A request with an invalid bearer token gets a 401, even from a server that does not ask for tokens. */
export function identifyUsers({ authenticateToken: authenticateOthers, administratorToken }: IdentifyUsersOptions): {
  readonly userOf: UserOf;
  readonly authenticateToken: AuthenticateToken;
} {
  const authenticateToken: AuthenticateToken = async (token, audiences = API_AUDIENCES) => {
    const isAdministrator = administratorToken !== undefined && isSame(administratorToken, token);
    // The token has no audience of its own, and is good for the API.
    const wanted = audiences.filter((one) => API_AUDIENCES.includes(one));
    return isAdministrator && wanted.length > 0
      ? { status: 'authenticated', user: ADMINISTRATOR, audiences: wanted }
      : authenticateOthers(token, audiences);
  };
  return {
    authenticateToken,
    userOf: async (environment, request) => {
      const certificate = clientCertificate(environment);
      if (certificate.status === 'authenticated') return certificate.user;
      if (certificate.status === 'refused') return undefined;
      const token = bearerToken(request.headers);
      if (token === undefined) return administratorToken === undefined ? ADMINISTRATOR : ANONYMOUS;
      const verdict = await authenticateToken(token);
      return verdict.status === 'authenticated' ? verdict.user : undefined;
    },
  };
}

/** `Bearer`, in any case, and the token. Other ways to authenticate are as good as none, as in Kubernetes. */
function bearerToken(headers: Headers): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1];
}

/** Identifies a client by the certificate of its connection: the common name is the user's name, and the organizations are its groups, as in Kubernetes. `environment`: what the HTTP server passes alongside a request. */
function clientCertificate(environment: unknown): CertificateVerdict {
  const socket = (environment as { readonly incoming?: IncomingMessage } | undefined)?.incoming?.socket as
    | TLSSocket
    | undefined;
  const subject = socket?.encrypted === true ? socket.getPeerCertificate()?.subject : undefined;
  if (!socket || !subject) return { status: 'none' };
  const { CN, O: organizations = [] } = subject as { CN?: string | string[]; O?: string | string[] };
  const username = [CN ?? []].flat().at(-1) ?? '';
  if (!socket.authorized || username === '') return { status: 'refused' };
  return { status: 'authenticated', user: { username, groups: [...[organizations].flat(), 'system:authenticated'] } };
}
