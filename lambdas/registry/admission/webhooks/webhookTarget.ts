import type { WebhookClientConfig } from 'kubernetes-types/admissionregistration/v1.js';
import type { WebhookTarget } from '../../../ports/WebhookCaller.ts';

/** The addresses of services that webhooks name: by `namespace/name`, as `127.0.0.1:9443`. */
export type WebhookServices = Readonly<Record<string, string>>;

/** Where a webhook is; or its URL and why it cannot be reached. */
export type FoundTarget =
  | { readonly status: 'found'; readonly target: WebhookTarget }
  | { readonly status: 'unreachable'; readonly url: string; readonly why: string };

const HTTPS_PORT = 443;

/**
 * Finds the server of a webhook. A service has no address of its own here, since no network leads to simulated pods: an option gives it one. `timeoutMs`, if given, is told to
 * the webhook in the URL, as Kubernetes does. Pure.
 */
export function webhookTarget(
  { url, service, caBundle }: WebhookClientConfig,
  services: WebhookServices,
  timeoutMs?: number,
): FoundTarget {
  const trusted = caBundle ? { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') } : {};
  const query = timeoutMs === undefined ? '' : `?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  if (!service) return { status: 'found', target: { url: `${url ?? ''}${query}`, ...trusted } };
  const { name, namespace, path = '', port = HTTPS_PORT } = service;
  const place = `https://${name}.${namespace}.svc:${port}${path === '' || path.startsWith('/') ? path : `/${path}`}`;
  const address = Object.hasOwn(services, `${namespace}/${name}`) ? services[`${namespace}/${name}`] : undefined;
  if (address === undefined)
    return {
      status: 'unreachable',
      url: `${place}${query}`,
      why: `no endpoints available for service ${JSON.stringify(name)}`,
    };
  return { status: 'found', target: { url: `${place}${query}`, address, ...trusted } };
}
