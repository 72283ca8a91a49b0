import { stringify } from 'yaml';
import type { Administrator } from './Administrator.ts';

const NAME = 'driftless';

/**
 * Returns a kubeconfig for the server at `url`, as YAML text. Without an administrator it has no credentials, since the server listens on loopback only. With one it uses HTTPS, because kubectl sends
 * tokens over nothing else. Pure.
 */
export function kubeconfig(url: string, administrator?: Pick<Administrator, 'certificate' | 'token'>): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: administrator ? secureCluster(url, administrator) : plainCluster(url) }],
    users: [{ name: NAME, user: administrator ? { token: administrator.token } : {} }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  });
}

/** The JavaScript client refuses plain HTTP unless TLS verification is off. */
function plainCluster(server: string): object {
  return { server, 'insecure-skip-tls-verify': true };
}

function secureCluster(url: string, { certificate }: Pick<Administrator, 'certificate'>): object {
  return {
    server: url.replace(/^http:/, 'https:'),
    'certificate-authority-data': Buffer.from(certificate).toString('base64'),
  };
}
