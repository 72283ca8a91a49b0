import { stringify } from 'yaml';

export interface CloudCluster {
  readonly clusterId: string;
  readonly region: string;
  /** The API's URL, with its stage and without a slash at the end. */
  readonly server: string;
}

/**
 * Returns a kubeconfig for a deployed control plane, as YAML text. kubectl asks the AWS CLI for a token, which is signed for this `clusterId`; it need not be
 * the name of an EKS cluster.
 */
export function cloudKubeconfig({ clusterId, region, server }: CloudCluster): string {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: 'aws',
    args: ['--region', region, 'eks', 'get-token', '--cluster-name', clusterId, '--output', 'json'],
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
