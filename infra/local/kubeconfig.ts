import { type Administrator, rootCertificate } from './Administrator.ts';

type Credentials = Pick<Administrator, 'certificate' | 'token' | 'authority'>;

/**
 * Returns a kubeconfig for the server at `url`, as YAML text. Without an administrator it has no credentials, since the server listens on loopback only. With one it uses HTTPS, because kubectl sends
 * tokens over nothing else. Pure.
 */
export function kubeconfig(url: string, administrator?: Credentials): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: driftless
    cluster:
      ${(administrator ? secureCluster(url, administrator) : plainCluster(url)).join('\n      ')}
users:
  - name: driftless
    user:${administrator ? `\n      token: ${administrator.token}` : ' {}'}
contexts:
  - name: driftless
    context:
      cluster: driftless
      user: driftless
      namespace: default
current-context: driftless
`;
}

/** The JavaScript client refuses plain HTTP unless TLS verification is off. */
function plainCluster(server: string): readonly string[] {
  return [`server: ${server}`, 'insecure-skip-tls-verify: true'];
}

function secureCluster(url: string, credentials: Credentials): readonly string[] {
  const authority = Buffer.from(rootCertificate(credentials)).toString('base64');
  return [`server: ${url.replace(/^http:/, 'https:')}`, `certificate-authority-data: ${authority}`];
}
