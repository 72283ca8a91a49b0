import {
  type IInterfaceVpcEndpoint,
  InterfaceVpcEndpoint,
  InterfaceVpcEndpointAwsService,
  Peer,
  Port,
  SecurityGroup,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Network } from '../createNetwork.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

const HTTPS = Port.tcp(443);

/** The addresses that networks use among themselves: RFC 1918 and RFC 6598. */
const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'];

/** Creates the interface endpoint through which alone a private API answers, or takes the one that the user names; `undefined` for a regional API. */
export function createPrivateEndpoint(
  scope: Construct,
  { endpoint, vpcEndpointId, endpointSubnetIds }: DriftlessStackProps,
  network: Network | undefined,
): IInterfaceVpcEndpoint | undefined {
  if (endpoint === 'regional') return undefined;
  if (vpcEndpointId !== undefined) {
    return InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, 'ApiEndpoint', { vpcEndpointId, port: 443 });
  }
  if (!network) throw new Error('a private endpoint needs a network');
  const subnets = network.subnets.filter(({ subnetId }) => endpointSubnetIds?.includes(subnetId) ?? true);
  return createEndpoint(scope, { ...network, subnets });
}

/**
 * AWS takes one subnet a zone (https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html). It has no private DNS: that would lead all names of `execute-api` in this network to it, also those of other APIs, which would answer no more. The name of the API and the endpoint together (see `serverUrl`) leads to it from anywhere.
 */
function createEndpoint(scope: Construct, { vpc, subnets }: Network): IInterfaceVpcEndpoint {
  const group = new SecurityGroup(scope, 'ApiEndpointGroup', {
    vpc,
    description: 'The private endpoint of the Kubernetes API',
    allowAllOutbound: false,
  });
  for (const range of PRIVATE_RANGES) group.addIngressRule(Peer.ipv4(range), HTTPS, 'The API identifies its callers');
  return new InterfaceVpcEndpoint(scope, 'ApiEndpoint', {
    vpc,
    service: InterfaceVpcEndpointAwsService.APIGATEWAY,
    subnets: { subnets: [...subnets] },
    securityGroups: [group],
    open: false,
    privateDnsEnabled: false,
  });
}

/**
 * Admits what comes through the endpoint. Before API Gateway asks an authorizer it looks for denials alone, and afterwards the authorizer's answer allows as much as this policy does. So only the denial keeps others away
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html).
 */
export function endpointPolicy({ vpcEndpointId }: IInterfaceVpcEndpoint): PolicyDocument {
  const invoke = (effect: Effect, condition: string) =>
    new PolicyStatement({
      effect,
      principals: [new AnyPrincipal()],
      actions: ['execute-api:Invoke'],
      resources: ['execute-api:/*'],
      conditions: { [condition]: { 'aws:SourceVpce': vpcEndpointId } },
    });
  return new PolicyDocument({
    statements: [invoke(Effect.ALLOW, 'StringEquals'), invoke(Effect.DENY, 'StringNotEquals')],
  });
}
