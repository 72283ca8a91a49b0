import { describe, expect, it, test } from 'vitest';
import type { ExistingSubnet, Zone } from '../../../infra/preflight/AccountReads.ts';
import { decideNodeNetwork, decideZones, vpcQuota } from '../../../infra/preflight/checks/network.ts';
import { vpcLinkZones } from '../../../infra/cdk/vpcLinkZones.ts';
import { deploymentOf } from './deploymentOf.ts';

const zone = (letter: string, id: string): Zone => ({ name: `us-east-1${letter}`, id });

describe('the zones of a network of the stack`s own', () => {
  const A3 = zone('a', 'use1-az3');
  const B1 = zone('b', 'use1-az1');
  const C2 = zone('c', 'use1-az2');
  const namesOf = (zones: readonly Zone[]) => zones.map(({ name }) => name);

  it.each([
    ['two with VPC links', [C2, B1, A3], {}, 'ok', /us-east-1b \(use1-az1\) and us-east-1c \(use1-az2\)/],
    ['the account has not both', [A3, B1], {}, 'wrong', /^Set `zoneIds` .*has no use1-az2 in us-east-1/],
    [
      'those that the user names',
      [A3, B1, C2],
      { zoneIds: ['use1-az2', 'use1-az1'] },
      'ok',
      /us-east-1c .* and us-east-1b/,
    ],
    [
      'one that the user names has no VPC links',
      [A3, B1],
      { zoneIds: ['use1-az1', 'use1-az3'] },
      'wrong',
      /no VPC links in use1-az3/,
    ],
  ] as const)('of a container: %s', (_name, zones, knobs, kind, message) => {
    const verdict = decideZones(
      { zones, defaultSubnetZones: [], deployed: [] },
      deploymentOf({ api: 'container', ...knobs }),
    );
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });

  it.each([
    ['the first two by name', [C2, B1, A3], [], 'ok', /us-east-1a .* and us-east-1b/],
    [
      'the first has no default subnet, so CloudFormation leaves it out',
      [A3, B1, C2],
      [B1, C2],
      'ok',
      /us-east-1b .* and us-east-1c/,
    ],
    ['one alone', [B1], [], 'wrong', /^Set `nodeNetwork`: CloudFormation sees 1 zones/],
  ] as const)('of nodes beside a function: %s', (_name, zones, usual, kind, message) => {
    const facts = { zones, defaultSubnetZones: namesOf(usual), deployed: [] };
    const verdict = decideZones(facts, deploymentOf({ workerGroup: {} }));
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });

  it('need to be named in a region that AWS does not list', () => {
    const facts = { zones: [zone('a', 'new1-az1'), zone('b', 'new1-az2')], defaultSubnetZones: [], deployed: [] };
    expect(decideZones(facts, deploymentOf({ api: 'container' }, 'xx-new-1'))).toMatchObject({ kind: 'wrong' });
    const zoneIds = ['new1-az1', 'new1-az2'];
    expect(decideZones(facts, deploymentOf({ api: 'container', zoneIds }, 'xx-new-1'))).toMatchObject({ kind: 'ok' });
  });
});

describe('the zones of a network that is deployed', () => {
  const FIRST = { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] };
  const subnet = (properties: object) => ({ Subnet: { Type: 'AWS::EC2::Subnet', Properties: { ...properties } } });
  const decide = (deployed: unknown, planned: object) =>
    decideZones(
      {
        zones: [zone('a', 'use1-az1'), zone('b', 'use1-az2')],
        defaultSubnetZones: [],
        deployed: [JSON.stringify(deployed)],
      },
      deploymentOf({ api: 'container' }, 'us-east-1', subnet(planned)),
    );

  it('stay', () => {
    expect(decide('use1-az1', { AvailabilityZoneId: 'use1-az1' }).kind).toBe('ok');
  });

  it('cannot change: those of an earlier release were taken by name', () => {
    expect(decide(FIRST, { AvailabilityZoneId: 'use1-az1' })).toMatchObject({
      kind: 'wrong',
      message: expect.stringContaining("Set `zoneIds` to 'byName'") as string,
      set: { zoneIds: 'byName' },
    });
    expect(decide('use1-az4', { AvailabilityZoneId: 'use1-az1' })).toMatchObject({
      kind: 'wrong',
      message: expect.stringContaining('"use1-az4"') as string,
    });
  });
});

test('the table of VPC links knows the zone of us-east-1 that has none', () => {
  expect(vpcLinkZones('us-east-1')).not.toContain('use1-az3');
  expect(vpcLinkZones('eu-central-1')).toEqual(['euc1-az1', 'euc1-az2', 'euc1-az3']);
  expect(vpcLinkZones('xx-new-1')).toBeUndefined();
});

test.each([
  [{ vpcs: 1, quota: 5, isDeployed: false }, 'ok'],
  [{ vpcs: 5, quota: 5, isDeployed: false }, 'wrong'],
  [{ vpcs: 5, quota: 5, isDeployed: true }, 'ok'],
])('networks %j are %s', (facts, kind) => {
  expect(vpcQuota.decide(facts, deploymentOf()).kind).toBe(kind);
});

describe('a network of the user`s own', () => {
  const [vpcId, securityGroupId] = ['vpc-11111111', 'sg-11111111'];
  const nodeNetwork = { vpcId, securityGroupId, subnetIds: ['subnet-aaaaaaaa', 'subnet-bbbbbbbb'] };
  const A: ExistingSubnet = { id: 'subnet-aaaaaaaa', vpcId, zone: zone('a', 'use1-az1'), freeAddresses: 250 };
  const B: ExistingSubnet = { id: 'subnet-bbbbbbbb', vpcId, zone: zone('b', 'use1-az2'), freeAddresses: 250 };
  const whole = { subnets: [A, B], securityGroupVpc: vpcId, hasDynamoDbEndpoint: true };

  it.each([
    ['whole', {}, 'ok', /has the subnets/],
    ['without an endpoint', { hasDynamoDbEndpoint: false }, 'advice', /^Add a gateway endpoint of DynamoDB/],
    ['without a subnet', { subnets: [A] }, 'wrong', /there is no subnet-bbbbbbbb/],
    ['a subnet elsewhere', { subnets: [A, { ...B, vpcId: 'vpc-2' }] }, 'wrong', /subnet-bbbbbbbb is in vpc-2/],
    ['no such group', { securityGroupVpc: undefined }, 'wrong', /there is no sg-11111111/],
    ['a group elsewhere', { securityGroupVpc: 'vpc-2' }, 'wrong', /sg-11111111 is in vpc-2/],
    ['one zone', { subnets: [A, { ...B, zone: A.zone }] }, 'wrong', /different zones/],
    [
      'a zone without links',
      { subnets: [A, { ...B, zone: zone('b', 'use1-az3') }] },
      'wrong',
      /no VPC links in use1-az3/,
    ],
    ['a full subnet', { subnets: [A, { ...B, freeAddresses: 3 }] }, 'wrong', /subnet-bbbbbbbb has 3 free addresses/],
  ])('%s', (_name, change, kind, message) => {
    const verdict = decideNodeNetwork({ ...whole, ...change }, deploymentOf({ api: 'container', nodeNetwork }));
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });

  it.each([
    [
      'names the first subnet of each zone',
      {},
      'wrong',
      /^Set `endpointSubnetIds` to \["subnet-aaaaaaaa"\]: .*subnet-bbbbbbbb is one more in us-east-1a\.$/,
    ],
    ['takes what is named', { endpointSubnetIds: ['subnet-bbbbbbbb'] }, 'ok', /has the subnets/],
    ['looks at no endpoint that exists', { vpcEndpointId: 'vpce-11111111' }, 'ok', /has the subnets/],
  ] as const)('for a private endpoint with two subnets in a zone it %s', (_name, knobs, kind, message) => {
    const facts = { ...whole, subnets: [A, { ...B, zone: A.zone }] };
    const verdict = decideNodeNetwork(facts, deploymentOf({ nodeNetwork, endpoint: 'private', ...knobs }));
    expect(verdict.kind).toBe(kind);
    expect(verdict.message).toMatch(message);
  });

  it('asks nothing of a load balancer if the API is a function', () => {
    const facts = { ...whole, subnets: [A, { ...B, zone: A.zone, freeAddresses: 1 }] };
    expect(decideNodeNetwork(facts, deploymentOf({ nodeNetwork })).kind).toBe('ok');
  });
});
