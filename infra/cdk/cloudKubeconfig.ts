import { stringify } from 'yaml';

export interface CloudCluster {
  readonly clusterId: string;
  readonly region: string;
  /** The API's URL, with its stage and without a slash at its end. */
  readonly server: string;
}

/**
 * A kubeconfig with which kubectl talks to a deployed control plane, as YAML text. It asks the AWS CLI for a token each time; the token is signed for this
 * `clusterId`, which need not be an EKS cluster's name.
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
  // Names are places in CloudFormation's text until it is deployed: nothing may be folded, and every text is quoted.
  return stringify(config, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
}
