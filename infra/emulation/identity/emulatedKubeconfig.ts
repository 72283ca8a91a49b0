import { stringify } from 'yaml';

export interface EmulatedCluster {
  /** The API's URL, with its stage. */
  readonly server: string;
  /** The server's certificate in PEM. */
  readonly certificate: string;
  readonly token: string;
  /** The path of a file whose token is renewed, for clients that run longer than a token is valid. */
  readonly tokenFile: string;
}

const NAME = 'driftless';

/** Returns a kubeconfig for an emulated cloud, as YAML text. Pure. */
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
