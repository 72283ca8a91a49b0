import type { AwsCredentials } from '../../../lambdas/adapters/aws/AwsCredentials.ts';
import { signerOf } from '../../../lambdas/adapters/aws/signRequest.ts';

export interface TokenParts {
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly clusterId: string;
  readonly nowMs: number;
}

const EXPIRES_SECONDS = 60;

/**
 * Returns a bearer token as `aws eks get-token --cluster-name CLUSTER` prints it: a presigned GetCallerIdentity of the region's STS, whose signature covers the cluster's id. The authorizer takes it for a quarter of an hour
 * (https://github.com/kubernetes-sigs/aws-iam-authenticator#api-authorization-from-outside-a-cluster).
 */
export async function signToken({ region, credentials, clusterId, nowMs }: TokenParts): Promise<string> {
  const hostname = `sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const signer = signerOf({ service: 'sts', region, credentials });
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname,
    path: '/',
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, 'x-k8s-aws-id': clusterId },
  };
  const { query = {} } = await signer.presign(request, {
    signingDate: new Date(nowMs),
    expiresIn: EXPIRES_SECONDS,
  });
  const url = new URL(`https://${hostname}/`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return `k8s-aws-v1.${Buffer.from(url.href).toString('base64url')}`;
}
