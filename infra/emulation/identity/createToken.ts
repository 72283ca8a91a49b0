import { signatureOf } from './signature.ts';

/** An IAM identity with its secret, as `aws eks get-token` would find it in the environment. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const REGION = 'us-east-1';

/**
 * A bearer token as `aws eks get-token --cluster-name CLUSTER` prints it: `k8s-aws-v1.` and a presigned STS GetCallerIdentity URL whose signature covers the
 * cluster's id. Good for a quarter of an hour.
 */
export function createToken({ accessKeyId, secretAccessKey }: Credentials, clusterId: string, nowMs: number): string {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const url = new URL(`https://sts.${REGION}.amazonaws.com/`);
  url.search = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${date.slice(0, 8)}/${REGION}/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
  }).toString();
  const headers = { host: url.hostname, 'x-k8s-aws-id': clusterId };
  url.searchParams.set('X-Amz-Signature', signatureOf({ url, headers, secretAccessKey }));
  return `k8s-aws-v1.${Buffer.from(url.href).toString('base64url')}`;
}
