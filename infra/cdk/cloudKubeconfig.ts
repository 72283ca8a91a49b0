import { stringify } from 'yaml';

export interface CloudCluster {
  readonly clusterId: string;
  readonly region: string;
  /** The API's URL, with its stage and without a slash at the end. */
  readonly server: string;
  /** Whether the server asks for a certificate of the client. */
  readonly mutualTls?: boolean;
}

/**
 * Returns a kubeconfig for a deployed control plane, as YAML text. kubectl asks the AWS CLI for a token, which is signed for this `clusterId`; it need not be
 * the name of an EKS cluster. With `mutualTls` the same command also tells the client's certificate and key, from `~/.kube/CLUSTER_ID.crt` and `.key`.
 */
export function cloudKubeconfig({ clusterId, region, server, mutualTls = false }: CloudCluster): string {
  const getToken = ['--region', region, 'eks', 'get-token', '--cluster-name', clusterId, '--output', 'json'];
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    ...(mutualTls
      ? { command: 'sh', args: ['-c', addCertificate(clusterId, getToken)] }
      : { command: 'aws', args: getToken }),
    interactiveMode: 'IfAvailable',
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterId, cluster: { server } }],
    users: [{ name: clusterId, user: { exec } }],
    contexts: [{ name: clusterId, context: { cluster: clusterId, user: clusterId, namespace: 'default' } }],
    'current-context': clusterId,
  };
  // Until the deployment, names are CloudFormation placeholders of unknown content. So lines must not be folded, and every string is quoted.
  return stringify(config, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
}

/** With a certificate in the kubeconfig itself, client-go would not run the command, and send no token. So the command's answer has both. A new line in PEM is `\n` in JSON, which sed wants with two strokes. */
function addCertificate(clusterId: string, getToken: readonly string[]): string {
  const textOf = (file: string) => `$(awk '{printf "%s\\\\\\\\n", $0}' "$HOME/.kube/${clusterId}.${file}")`;
  const fields = `\\"clientCertificateData\\":\\"${textOf('crt')}\\",\\"clientKeyData\\":\\"${textOf('key')}\\",`;
  return `aws ${getToken.join(' ')} | sed "s|\\"token\\"|${fields}&|"`;
}
