import { Aws, CfnMapping } from 'aws-cdk-lib';
import {
  type CfnSubnet,
  GatewayVpcEndpointAwsService,
  type ISecurityGroup,
  type ISubnet,
  type IVpc,
  Port,
  SecurityGroup,
  Subnet,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { DriftlessStackProps, NodeNetwork } from './DriftlessStackProps.ts';
import { VPC_LINK_REGIONS, vpcLinkZones } from './vpcLinkZones.ts';

/** Where the API is if it is in a network at all, and where the nodes are. */
export interface Network {
  readonly vpc: IVpc;
  readonly subnets: readonly ISubnet[];
  /** The security group of the nodes; absent if the stack knows of none. */
  readonly nodeGroup: ISecurityGroup | undefined;
}

/** The port on which a kubelet serves logs. */
const KUBELET_PORT = 10_250;

/** Creates the network of a container and of the stack's own nodes, or takes that of nodes that exist. A function that reaches no nodes is in no network. */
export function createNetwork(scope: Construct, props: DriftlessStackProps): Network | undefined {
  const { api, nodeNetwork, workerGroup } = props;
  if (nodeNetwork) return existingNetwork(scope, nodeNetwork);
  if (api === 'function' && !workerGroup) return undefined;
  const vpc = createVpc(scope, zoneIdsOf(scope, props));
  const nodeGroup = workerGroup && new SecurityGroup(scope, 'NodeGroup', { vpc, description: 'Nodes with kubelets' });
  return { vpc, subnets: vpc.publicSubnets, nodeGroup };
}

/** Lets the API reach the kubelets. */
export function allowToKubelets({ nodeGroup }: Network, apiGroup: SecurityGroup): void {
  nodeGroup?.connections.allowFrom(apiGroup, Port.tcp(KUBELET_PORT), 'The API reads logs');
}

/** Two zones, which a load balancer needs, without NAT gateways, of which each would cost more than the container. */
function createVpc(scope: Construct, zoneIds: readonly string[] | undefined): IVpc {
  const vpc = new Vpc(scope, 'ApiVpc', {
    maxAzs: 2,
    natGateways: 0,
    restrictDefaultSecurityGroup: false,
    subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC }],
  });
  for (const [at, zoneId] of (zoneIds ?? []).entries()) putInto(zoneId, vpc.publicSubnets[at]);
  vpc.addGatewayEndpoint('DynamoDb', { service: GatewayVpcEndpointAwsService.DYNAMODB });
  // The CDK's classes are not typed for exact optional properties.
  return vpc as IVpc;
}

/** The CDK knows zones by their names only. */
function putInto(zoneId: string, subnet: ISubnet | undefined): void {
  const made = subnet?.node.defaultChild as CfnSubnet;
  made.availabilityZone = undefined as unknown as string;
  made.availabilityZoneId = zoneId;
}

/** Those that the user names, or two in which API Gateway can reach a container. Absent: any two. */
function zoneIdsOf(scope: Construct, { api, zoneIds }: DriftlessStackProps): readonly string[] | undefined {
  if (zoneIds === 'byName') return undefined;
  if (zoneIds || api === 'function') return zoneIds;
  const mapping = VPC_LINK_REGIONS.map((region) => {
    const [first, second] = vpcLinkZones(region) ?? [];
    return [region, { first, second }];
  });
  const zones = new CfnMapping(scope, 'VpcLinkZones', { mapping: Object.fromEntries(mapping) as ZoneMapping });
  return ['first', 'second'].map((which) => zones.findInMap(Aws.REGION, which));
}

type ZoneMapping = Record<string, Record<string, string>>;

/** The subnets are named one by one, so nothing asks for their zones. */
function existingNetwork(scope: Construct, { vpcId, subnetIds, securityGroupId }: NodeNetwork): Network {
  return {
    vpc: Vpc.fromVpcAttributes(scope, 'NodeVpc', { vpcId, availabilityZones: ['any'] }),
    subnets: subnetIds.map((subnetId, at) => Subnet.fromSubnetId(scope, `NodeSubnet${at + 1}`, subnetId)),
    nodeGroup: SecurityGroup.fromSecurityGroupId(scope, 'NodeGroup', securityGroupId),
  };
}
