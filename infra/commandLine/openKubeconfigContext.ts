import { request } from 'node:https';
import type { SendRequest } from '../host/SendRequest.ts';
import { type ControlPlaneApi, openControlPlane } from './ControlPlaneApi.ts';
import type { KubeconfigContext } from './KubeconfigContext.ts';
import { sendOverNode } from './sendOverNode.ts';

/** Opens the way to a context's server, with its credentials. Only for those that a program or a provider knows is kubectl needed. Throws a UsageError if it does not answer. */
export async function openKubeconfigContext(
  context: KubeconfigContext,
  kubeconfig: string | undefined,
): Promise<ControlPlaneApi> {
  if (context.needsKubectl) return await openControlPlane({ context: context.name, kubeconfig });
  if (context.server.startsWith('https:')) return { send: sendSecurely(context), close: async () => {} };
  return await openControlPlane({ server: context.server });
}

/** Over plain HTTP no credentials are sent, as kubectl does it. */
function sendSecurely({ server, authority, trustsAnyServer, token, ...identity }: KubeconfigContext): SendRequest {
  const { hostname, port, pathname } = new URL(server);
  const root = pathname.replace(/\/$/, '');
  return (path, init) =>
    sendOverNode(
      request,
      {
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        path: root + path,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        ca: authority,
        rejectUnauthorized: !trustsAnyServer,
        cert: identity.certificate,
        key: identity.privateKey,
      },
      `no server answers at ${server}`,
      init,
    );
}
