import { stringify } from 'yaml';

export interface EmulatedCluster {
  /** The API's URL, with its stage. */
  readonly server: string;
  /** PEM of the certificate that vouches for the server. */
  readonly certificate: string;
  readonly token: string;
  /** Where a token is kept fresh, for clients that run for longer than one is good for. */
  readonly tokenFile: string;
}

const NAME = 'driftless';

/** A kubeconfig with which kubectl talks to an emulated cloud, as YAML text. Pure. */
export function emulatedKubeconfig({ server, certificate, token, tokenFile }: EmulatedCluster): string {
  const authority = Buffer.from(certificate).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: NAME, user: { token, tokenFile } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: 'default' } }],
    'current-context': NAME,
  });
}
