import { Aws } from 'aws-cdk-lib';
import type { IInterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { STAGE_NAME } from '../../topology.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/** Returns the API's URL for clients, without a slash at the end: that of its domain if it has one, which has no stage in its path. The URL of a private API is that of the API at this endpoint, for which API Gateway keeps a record of DNS. */
export function serverUrl(
  { domain }: Pick<DriftlessStackProps, 'domain'>,
  restApiId: string,
  endpoint: IInterfaceVpcEndpoint | undefined,
): string {
  if (domain) return `https://${domain.name}`;
  const host = endpoint ? `${restApiId}-${endpoint.vpcEndpointId}` : restApiId;
  return `https://${host}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE_NAME}`;
}
