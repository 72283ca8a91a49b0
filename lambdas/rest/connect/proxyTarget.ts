import { badRequest } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { Backend } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** A name in the path of a proxy: `web`, `web:8080` or `https:web:8443`. */
export interface ProxyName {
  readonly scheme: 'http' | 'https' | undefined;
  readonly name: string;
  readonly port: number | undefined;
}

/** Splits the name in the path of a proxy. Throws BadRequest. Pure. */
export function parseProxyName(text: string, kind: 'pod' | 'node'): ProxyName {
  const [, scheme, name = '', port] = /^(?:(https?|):)?([^:]+?)(?::(\d{1,5})?)?$/.exec(text) ?? [];
  if (name === '') throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  const known = scheme === 'http' || scheme === 'https' ? scheme : undefined;
  return { scheme: known, name, port: port === undefined ? undefined : Number(port) };
}

/** Returns the name of the pod that a proxy's path is about, and where it serves. Pure. */
export function podBackend(text: string): { readonly name: string; backendFor(pod: Pod): Backend } {
  const { scheme = 'http', name, port } = parseProxyName(text, 'pod');
  return {
    name,
    backendFor({ spec, status }) {
      const { podIP: host = '' } = status ?? {};
      const declared = spec?.containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
      return { scheme, host, port: port ?? declared ?? (scheme === 'https' ? 443 : 80), isKubelet: false };
    },
  };
}

/** The path after `/proxy`, as the client wrote it, with its query. */
export function proxyPath({ url }: ResourceRequest): string {
  const [, rest = ''] = /\/proxy(\/.*)?$/s.exec(proxied(url.pathname)) ?? [];
  return `${rest === '' ? '/' : rest}${url.search}`;
}

/** The path from the first `/proxy` on that follows the object's name. */
function proxied(pathname: string): string {
  const [, path = pathname] =
    /^\/api\/v1\/(?:namespaces\/[^/]+\/(?:pods|services)|nodes)\/[^/]+(\/proxy.*)$/s.exec(pathname) ?? [];
  return path;
}
