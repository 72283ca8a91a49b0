import { stringify } from 'yaml';

const NAME = 'driftless';

/** A kubeconfig with which kubectl talks to the server at `url`, as YAML text. No credentials: it listens on loopback only. Pure. */
export function kubeconfig(url: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // The JavaScript client refuses plain HTTP unless it is told that nothing is to be verified.
    clusters: [{ name: NAME, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: NAME, user: {} }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  });
}
