import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../lambdas/rest/rbac/UserInfo.ts';

/** Who a client is by its certificate: `refused` for one that the cluster's authority has not signed, or that has ended; `none` for a client without one. */
export type CertificateVerdict =
  | { readonly status: 'authenticated'; readonly user: UserInfo }
  | { readonly status: 'refused' }
  | { readonly status: 'none' };

/** Identifies a client by the certificate of its connection: the common name is the user's name, and the organizations are its groups, as in Kubernetes. `environment`: what the HTTP server passes alongside a request. */
export function clientCertificate(environment: unknown): CertificateVerdict {
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
