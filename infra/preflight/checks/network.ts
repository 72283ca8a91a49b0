import type { NodeNetwork } from '../../cdk/DriftlessStackProps.ts';
import type { AccountReads, ExistingSubnet, Quota, TemplateResources, Zone } from '../AccountReads.ts';
import { advice, type Check, type Deployment, ok, type Verdict, wrong } from '../Check.ts';
import { type Plan, resourcesOfType } from '../Plan.ts';
import { vpcLinkZones } from '../../cdk/vpcLinkZones.ts';

interface ZoneFacts {
  readonly zones: readonly Zone[];
  readonly defaultSubnetZones: readonly string[];
  /** What the template of the deployed stack says of the zones of its subnets; empty if there is no such network. */
  readonly deployed: readonly string[];
}

/** Whether the zones that the stack's own network gets have what the container needs. */
export const zones: Check<ZoneFacts> = {
  name: 'zones',
  appliesTo: createsVpc,
  observe: async (account, { plan }) => ({
    zones: await account.zones(),
    defaultSubnetZones: await account.defaultSubnetZones(),
    deployed: zonesInTemplate(await account.deployedResources(plan.stackName)),
  }),
  decide: decideZones,
};

/** A load balancer needs two zones. A container is in two in which API Gateway has VPC links, a function's nodes are in the first two of `Fn::GetAZs`, unless the user names others. */
export function decideZones(facts: ZoneFacts, { plan, caller }: Deployment): Verdict {
  if (facts.deployed.length > 0 && facts.deployed.join() !== zonesInTemplate(plan.resources).join())
    return otherZones(facts);
  const { api, zoneIds } = plan.props;
  const served = vpcLinkZones(caller.region);
  const chosen = zoneIds ?? (api === 'container' ? served?.slice(0, ZONES_NEEDED) : 'byName');
  const ids = chosen === 'byName' ? firstZones(facts) : chosen;
  if (!ids) {
    return wrong(
      `Set \`zoneIds\` to two zones in which API Gateway has VPC links: AWS' list of them says nothing of ${caller.region}.`,
    );
  }
  const known = ids.flatMap((id) => facts.zones.find((zone) => zone.id === id) ?? []);
  if (known.length < ZONES_NEEDED) return notThere(ids, facts, caller.region);
  const names = known.map(({ name, id }) => `${name} (${id})`).join(' and ');
  const without = api === 'container' && served ? known.filter(({ id }) => !served.includes(id)) : [];
  if (without.length === 0) return ok(`The network is in ${names}.`);
  return wrong(`Set \`zoneIds\` to two of ${served?.join(', ')}: ${noLinks(without)}.`);
}

const ZONES_NEEDED = 2;

/** As the template has them: ids, names, or what CloudFormation makes ids or names of. */
function zonesInTemplate(resources: TemplateResources): readonly string[] {
  return resourcesOfType(resources, 'AWS::EC2::Subnet').map(({ Properties = {} }) =>
    JSON.stringify(Properties['AvailabilityZoneId'] ?? Properties['AvailabilityZone']),
  );
}

/** CloudFormation creates what it replaces before it removes the old one, whose addresses the new subnet would have. */
function otherZones({ deployed }: ZoneFacts): Verdict {
  const isByName = deployed.every((zone) => zone.includes('Fn::GetAZs'));
  const set = { zoneIds: 'byName' };
  const knob = isByName ? "to 'byName'" : `as it was: the subnets are in ${deployed.join(' and ')}`;
  return wrong(
    `Set \`zoneIds\` ${knob}: the zones of a network that is deployed cannot change.`,
    isByName ? set : undefined,
  );
}

function firstZones({ zones: all, defaultSubnetZones }: ZoneFacts): readonly string[] {
  const taken = zonesOfGetAzs(all, defaultSubnetZones).slice(0, ZONES_NEEDED);
  return taken.map(({ id }) => id);
}

function notThere(ids: readonly string[], { zones: all }: ZoneFacts, region: string): Verdict {
  const there = all.map(({ id }) => id);
  const missing = ids.filter((id) => !there.includes(id));
  if (missing.length === 0)
    return wrong(`Set \`nodeNetwork\`: CloudFormation sees ${ids.length} zones in ${region}, and two are needed.`);
  return wrong(
    `Set \`zoneIds\` to two of ${there.join(', ')}: the account has no ${missing.join(' and no ')} in ${region}.`,
  );
}

/** As CloudFormation lists them: by name, and only those with a default subnet if there are any: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getavailabilityzones.html */
function zonesOfGetAzs(all: readonly Zone[], withDefaultSubnet: readonly string[]): readonly Zone[] {
  const usual = all.filter(({ name }) => withDefaultSubnet.includes(name));
  return [...(usual.length > 0 ? usual : all)].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function noLinks(without: readonly Zone[]): string {
  return `API Gateway has no VPC links in ${without.map(({ id }) => id).join(', ')}`;
}

interface VpcQuotaFacts {
  readonly vpcs: number;
  readonly quota: number;
  /** Whether one of them is the stack's own. */
  readonly isDeployed: boolean;
}

/** "VPCs per Region", five in a new account: https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html */
const VPCS_PER_REGION: Quota = { service: 'vpc', code: 'L-F678F1CE' };

/** Whether the stack's own network can be created. */
export const vpcQuota: Check<VpcQuotaFacts> = {
  name: 'networks',
  appliesTo: createsVpc,
  async observe(account, { plan }) {
    const [vpcs, quota] = [await account.vpcCount(), await account.quota(VPCS_PER_REGION)];
    // Only an account that is full needs to be told whether one of them is ours.
    return { vpcs, quota, isDeployed: vpcs >= quota && (await hasVpc(account, plan.stackName)) };
  },
  decide: ({ vpcs, quota, isDeployed }) => {
    const has = `the region has ${vpcs} of at most ${quota} networks`;
    if (vpcs < quota || isDeployed) return ok(`The stack has one of its own; ${has}.`);
    return wrong(
      `Set \`nodeNetwork\` to one that exists, or ask for a higher quota "VPCs per Region" (${VPCS_PER_REGION.code}): ${has}.`,
    );
  },
};

async function hasVpc(account: AccountReads, stackName: string): Promise<boolean> {
  return resourcesOfType(await account.deployedResources(stackName), 'AWS::EC2::VPC').length > 0;
}

function createsVpc({ resources }: Plan): boolean {
  return resourcesOfType(resources, 'AWS::EC2::VPC').length > 0;
}

interface NodeNetworkFacts {
  readonly subnets: readonly ExistingSubnet[];
  readonly securityGroupVpc: string | undefined;
  readonly hasDynamoDbEndpoint: boolean;
}

/** Whether the network that the user named is there, and has what the API needs. */
export const nodeNetwork: Check<NodeNetworkFacts> = {
  name: 'nodeNetwork',
  appliesTo: ({ props }) => props.nodeNetwork !== undefined,
  async observe(account, { plan }) {
    const { vpcId, subnetIds, securityGroupId } = networkOf(plan);
    return {
      subnets: await account.subnets(subnetIds),
      securityGroupVpc: await account.securityGroupVpc(securityGroupId),
      hasDynamoDbEndpoint: await account.hasDynamoDbEndpoint(vpcId),
    };
  },
  decide: decideNodeNetwork,
};

export function decideNodeNetwork(facts: NodeNetworkFacts, { plan, caller }: Deployment): Verdict {
  const network = networkOf(plan);
  const problems = [
    ...membershipProblems(network, facts),
    ...(plan.props.api === 'container' ? containerProblems(facts.subnets, caller.region) : []),
  ];
  const chosen = problems.length === 0 ? endpointChoice(plan, facts.subnets) : undefined;
  if (chosen !== undefined) return wrong(chosen);
  if (problems.length > 0)
    return wrong(`Set \`nodeNetwork\` to another network or other subnets: ${problems.join('; ')}.`);
  if (facts.hasDynamoDbEndpoint) return ok(`${network.vpcId} has the subnets and the security group.`);
  const way = plan.props.api === 'function' ? 'NAT' : 'the internet or NAT';
  return advice(
    `Add a gateway endpoint of DynamoDB to ${network.vpcId}, which is free: the API reaches its tables by ${way} alone.`,
  );
}

/** An interface endpoint takes one subnet a zone: https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html. Says which to name, the first of each zone, if several are in one. */
function endpointChoice({ props }: Plan, subnets: readonly ExistingSubnet[]): string | undefined {
  const { endpoint, vpcEndpointId, nodeNetwork: network, endpointSubnetIds = network?.subnetIds ?? [] } = props;
  if (endpoint !== 'private' || vpcEndpointId !== undefined) return undefined;
  const named = endpointSubnetIds.flatMap((id) => subnets.filter((subnet) => subnet.id === id));
  const first = named.filter(({ zone }, at) => named.findIndex((other) => other.zone.id === zone.id) === at);
  const second = named.find((one) => !first.includes(one));
  if (!second) return undefined;
  const choice = JSON.stringify(first.map(({ id }) => id));
  return `Set \`endpointSubnetIds\` to ${choice}: an endpoint takes one subnet a zone, and ${second.id} is one more in ${second.zone.name}.`;
}

function membershipProblems(
  { vpcId, subnetIds, securityGroupId }: NodeNetwork,
  { subnets, securityGroupVpc }: NodeNetworkFacts,
): readonly string[] {
  const missing = subnetIds.filter((id) => !subnets.some((subnet) => subnet.id === id));
  const elsewhere = subnets.filter((subnet) => subnet.vpcId !== vpcId);
  return [
    ...missing.map((id) => `there is no ${id}`),
    ...elsewhere.map(({ id, vpcId: other }) => `${id} is in ${other}`),
    ...(securityGroupVpc === undefined ? [`there is no ${securityGroupId}`] : []),
    ...(securityGroupVpc !== undefined && securityGroupVpc !== vpcId
      ? [`${securityGroupId} is in ${securityGroupVpc}`]
      : []),
  ];
}

/** An application load balancer needs eight free addresses in each of its subnets: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/application-load-balancers.html */
const BALANCER_ADDRESSES = 8;

/** A load balancer takes one subnet a zone, of at least two zones: https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html */
function containerProblems(subnets: readonly ExistingSubnet[], region: string): readonly string[] {
  const zoneNames = new Set(subnets.map(({ zone }) => zone.name));
  const served = vpcLinkZones(region);
  const without = served ? subnets.map(({ zone }) => zone).filter(({ id }) => !served.includes(id)) : [];
  const full = subnets.filter(({ freeAddresses }) => freeAddresses < BALANCER_ADDRESSES);
  return [
    ...(zoneNames.size < Math.max(ZONES_NEEDED, subnets.length)
      ? [`the load balancer needs subnets in different zones, at least two`]
      : []),
    ...(without.length > 0 ? [noLinks(without)] : []),
    ...full.map(({ id, freeAddresses }) => `${id} has ${freeAddresses} free addresses, and the load balancer needs 8`),
  ];
}

function networkOf({ props }: Plan): NodeNetwork {
  if (props.nodeNetwork) return props.nodeNetwork;
  throw new Error('the check applies only to a nodeNetwork');
}
