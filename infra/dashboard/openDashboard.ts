import { randomBytes } from 'node:crypto';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import type { Dashboard } from './server/createDashboard.ts';

/** The host names of a server that listens on loopback. */
export const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const PATH = '/dashboard';
const KEY_BYTES = 24;

/** What only those know who were given the page's address. */
export function newDashboardKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

export interface DashboardPlace {
  /** Ends the page's streams. */
  readonly stopping: AbortSignal;
  readonly nowMs: () => number;
  /** The token with which the page's requests are sent. Absent: the server authenticates nobody. */
  readonly token: string | undefined;
  /** True if other machines reach the server, under whatever name. */
  readonly isPublic: boolean;
}

export interface OpenDashboard {
  /** The API, with the page in front of it. */
  before(api: ApiHandler): ApiHandler;
  /** The page's address on a server. */
  urlAt(serverUrl: string): string;
}

/** Puts the page in front of the API of this process. What it needs is loaded with its first request. A page that acts as the administrator is shown only to who knows its key. */
export function openDashboard(api: ApiHandler, place: DashboardPlace): OpenDashboard {
  const { stopping, nowMs, token, isPublic } = place;
  const key = token === undefined && !isPublic ? undefined : newDashboardKey();
  let opened: Promise<Dashboard> | undefined;
  const open = async () => {
    const { createDashboard } = await import('./server/createDashboard.ts');
    const dashboard = createDashboard({
      send: (path, init) => api(requestOf(path, init, token)),
      nowMs,
      allowedHosts: isPublic ? undefined : LOOPBACK_NAMES,
      key,
    });
    stopping.addEventListener('abort', () => dashboard.close(), { once: true });
    return dashboard;
  };
  return {
    before: (behind) => async (request, environment) => {
      const { pathname } = new URL(request.url);
      if (pathname !== PATH && !pathname.startsWith(`${PATH}/`)) return await behind(request, environment);
      return await (await (opened ??= open())).fetch(request);
    },
    urlAt: (serverUrl) => `${serverUrl}${PATH}${key === undefined ? '' : `?key=${key}`}`,
  };
}

function requestOf(path: string, init: RequestInit | undefined, token: string | undefined): Request {
  const request = new Request(`http://127.0.0.1${path}`, init);
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
