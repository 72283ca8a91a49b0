import { describe, expect, it } from 'vitest';
import { logicalName } from '../../../infra/cdk/createFunctions.ts';
import type { FunctionName } from '../../../infra/topology.ts';
import { VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';
import { allowedTo } from './allowedTo.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const NETWORK = {
  vpcId: 'vpc-0123456789abcdef0',
  subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  securityGroupId: 'sg-0123456789abcdef0',
};

const withoutNodes = synthesizeStack();
const joined = synthesizeStack({ nodesJoin: true });
const reached = synthesizeStack({ nodeNetwork: NETWORK });
const contained = synthesizeStack({ nodeNetwork: NETWORK, api: 'container' });

function kubeletsOf(template: typeof joined, name: FunctionName): unknown {
  const { Environment } = resource(template, logicalName(name)).Properties as {
    Environment: { Variables: Record<string, string> };
  };
  return Environment.Variables[VARIABLES.kubelets];
}

/** What a role may do with the knob, and may not without. */
function added(name: FunctionName, template: typeof joined): string[] {
  const before = new Set(allowedTo(name, withoutNodes));
  return allowedTo(name, template).filter((line) => !before.has(line));
}

describe('a stack without nodes of its own', () => {
  it('knows of no kubelets and is in no network', () => {
    for (const name of ['api', 'enqueue', 'sync', 'resync'] as const)
      expect(kubeletsOf(withoutNodes, name)).toBe('none');
    expect(resourcesOf(withoutNodes, 'AWS::EC2::SecurityGroup')).toEqual({});
    expect(resource(withoutNodes, 'ApiFunction').Properties).not.toHaveProperty('VpcConfig');
  });
});

describe('a stack that nodes join', () => {
  it('signs certificates: sync and resync may read the authority`s key, and nothing else is added', () => {
    for (const name of ['api', 'enqueue', 'sync', 'resync'] as const) expect(kubeletsOf(joined, name)).toBe('join');
    for (const name of ['sync', 'resync'] as const)
      expect(added(name, joined)).toEqual(['<VersionsTable.Arn> dynamodb:GetItem']);
    for (const name of ['api', 'authorize', 'record', 'enqueue'] as const) expect(added(name, joined)).toEqual([]);
    expect(resource(joined, 'ApiFunction').Properties).not.toHaveProperty('VpcConfig');
  });
});

describe('a stack with the network of its nodes', () => {
  const group = () => {
    const found = Object.keys(resourcesOf(reached, 'AWS::EC2::SecurityGroup'));
    expect(found).toHaveLength(1);
    return found[0];
  };

  it('has the API`s function in that network, and no other function', () => {
    expect(kubeletsOf(reached, 'api')).toBe('reach');
    expect(resolve(resource(reached, 'ApiFunction').Properties['VpcConfig'])).toEqual({
      SubnetIds: NETWORK.subnetIds,
      SecurityGroupIds: [`<${group()}.GroupId>`],
    });
    for (const name of ['authorize', 'record', 'enqueue', 'sync', 'resync'] as const)
      expect(resource(reached, logicalName(name)).Properties).not.toHaveProperty('VpcConfig');
    expect(resourcesOf(reached, 'AWS::EC2::VPC')).toEqual({});
  });

  it('lets that function have an address there, and nothing else', () => {
    expect(added('api', reached)).toEqual(
      [
        'AssignPrivateIpAddresses',
        'CreateNetworkInterface',
        'DeleteNetworkInterface',
        'DescribeNetworkInterfaces',
        'DescribeSubnets',
        'UnassignPrivateIpAddresses',
      ].map((action) => `* ec2:${action}`),
    );
  });

  it('lets the function reach the port of the kubelets', () => {
    const rules = Object.values(resourcesOf(reached, 'AWS::EC2::SecurityGroupIngress'));
    expect(rules.map(({ Properties }) => resolve(Properties))).toEqual([
      expect.objectContaining({
        GroupId: NETWORK.securityGroupId,
        SourceSecurityGroupId: `<${group()}.GroupId>`,
        FromPort: 10_250,
        ToPort: 10_250,
        IpProtocol: 'tcp',
      }),
    ]);
  });

  it('has the container, its load balancer and the link there, too', () => {
    expect(resourcesOf(contained, 'AWS::EC2::VPC')).toEqual({});
    const [service] = Object.values(resourcesOf(contained, 'AWS::ECS::Service'));
    expect(resolve(service?.Properties)).toMatchObject({
      NetworkConfiguration: { AwsvpcConfiguration: { Subnets: NETWORK.subnetIds } },
    });
    const [balancer] = Object.values(resourcesOf(contained, 'AWS::ElasticLoadBalancingV2::LoadBalancer'));
    expect(balancer?.Properties).toMatchObject({ Subnets: NETWORK.subnetIds });
    const [link] = Object.values(resourcesOf(contained, 'AWS::ApiGatewayV2::VpcLink'));
    expect(link?.Properties).toMatchObject({ SubnetIds: NETWORK.subnetIds });
    const rules = Object.values(resourcesOf(contained, 'AWS::EC2::SecurityGroupIngress'));
    expect(rules.map(({ Properties }) => resolve(Properties))).toContainEqual(
      expect.objectContaining({ GroupId: NETWORK.securityGroupId, FromPort: 10_250 }),
    );
  });
});

describe('knobs of nodes that cannot be', () => {
  it.each([
    [
      'no authority in a network of nodes',
      { nodesJoin: false, nodeNetwork: NETWORK },
      'nodesJoin: must be true with nodeNetwork, workerGroup or directAddress',
    ],
    ['one zone', { api: 'container', zoneIds: ['use1-az1', 'use1-az1'] }, 'the ids of two zones'],
    [
      'the name of a zone',
      { api: 'container', zoneIds: ['use1-az1', 'us-east-1a'] },
      'zoneIds[1]: must be the id of a zone',
    ],
    ['zones without a network', { zoneIds: ['use1-az1', 'use1-az2'] }, 'zoneIds: is about the network'],
    ['one subnet', { nodeNetwork: { ...NETWORK, subnetIds: ['subnet-01234567'] } }, 'at least two subnets'],
    [
      'a name instead of an id',
      { nodeNetwork: { ...NETWORK, vpcId: 'main' } },
      'nodeNetwork.vpcId: must be the id of a vpc',
    ],
    [
      'the id of something else',
      { nodeNetwork: { ...NETWORK, securityGroupId: 'vpc-01234567' } },
      'the id of a security group',
    ],
  ])('are refused: %s', (_, knobs, message) => {
    expect(() => synthesizeStack(knobs)).toThrow(message);
  });
});
