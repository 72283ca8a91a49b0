import { stringify } from 'yaml';

const NAME = 'driftless';

/** Returns a kubeconfig for the server at `url`, as YAML text. It has no credentials, since the server listens on loopback only. Pure. */
export function kubeconfig(url: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // The JavaScript client refuses plain HTTP unless TLS verification is off.
    clusters: [{ name: NAME, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: NAME, user: {} }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  });
}
