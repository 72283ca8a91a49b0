import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { allowedTo } from './allowedTo.ts';
import { createTestApp } from './createTestApp.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const SCRIPT = 'infra/cdk/workers/join-node.sh';
const withoutNodes = synthesizeStack();
const workers = synthesizeStack({ workerGroup: {}, api: 'container', clusterId: 'mine' });

function only(type: string, template = workers) {
  const found = Object.entries(resourcesOf(template, type));
  expect(found).toHaveLength(1);
  const [[logicalId, { Properties }] = ['', { Properties: {} }]] = found;
  return { logicalId, properties: resolve(Properties) as Record<string, never> };
}

interface TemplateData {
  readonly InstanceType: string;
  readonly ImageId: string;
  readonly MetadataOptions: object;
  readonly UserData: { readonly 'Fn::Base64': string };
  readonly IamInstanceProfile: { readonly Arn: string };
  readonly NetworkInterfaces: readonly {
    readonly Groups: readonly string[];
    readonly AssociatePublicIpAddress: boolean;
  }[];
  readonly BlockDeviceMappings: readonly object[];
}

describe('the group of workers', () => {
  const { properties } = only('AWS::EC2::LaunchTemplate');
  const data = properties['LaunchTemplateData'] as unknown as TemplateData;
  const [nodeGroup = ''] = Object.keys(resourcesOf(workers, 'AWS::EC2::SecurityGroup')).filter((id) =>
    id.startsWith('NodeGroup'),
  );

  it('is an auto scaling group of small instances with Amazon Linux 2023, whose containers reach no metadata', () => {
    expect(only('AWS::AutoScaling::AutoScalingGroup').properties).toMatchObject({ MinSize: '1', MaxSize: '3' });
    expect(data).toMatchObject({
      InstanceType: 't4g.small',
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { Encrypted: true, VolumeSize: 20, VolumeType: 'gp3' } }],
      NetworkInterfaces: [{ Groups: [`<${nodeGroup}.GroupId>`], AssociatePublicIpAddress: true }],
    });
    const parameters = workers.toJSON()['Parameters'] as Record<string, { Default?: string }>;
    expect(Object.values(parameters).map(({ Default }) => Default)).toContain(
      '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-arm64',
    );
  });

  it('has the image for its processors', () => {
    const intel = synthesizeStack({ workerGroup: { instanceType: 'm7i.large' }, api: 'container' });
    const parameters = intel.toJSON()['Parameters'] as Record<string, { Default?: string }>;
    expect(Object.values(parameters).map(({ Default }) => Default)).toContain(
      '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-x86_64',
    );
  });

  it('joins this control plane when an instance starts, by a script that bash can read', () => {
    const script = data.UserData['Fn::Base64'];
    expect(script.split('\n').slice(0, 5)).toEqual([
      '#!/bin/bash',
      "export CLUSTER_ID='mine'",
      "export SERVER='https://<Api>.execute-api.eu-central-1.amazonaws.com/k8s'",
      "export REGION='eu-central-1'",
      "export KUBERNETES_VERSION='1.34'",
    ]);
    const directory = mkdtempSync(join(tmpdir(), 'driftless-script-'));
    writeFileSync(join(directory, 'user-data'), script);
    execFileSync('bash', ['-n', join(directory, 'user-data')]);
    rmSync(directory, { recursive: true });
  });

  it('calls the container at its own address, if it has one', () => {
    const direct = synthesizeStack({ workerGroup: {}, api: 'container', directAddress: 'internal' });
    const { LaunchTemplateData } = only('AWS::EC2::LaunchTemplate', direct).properties as unknown as {
      LaunchTemplateData: TemplateData;
    };
    expect(LaunchTemplateData.UserData['Fn::Base64']).toMatch(
      /^export DIRECT_SERVER='https:\/\/<DirectBalancer[0-9A-F]{8}\.DNSName>:6443'$/m,
    );
    expect(data.UserData['Fn::Base64']).not.toContain('export DIRECT_SERVER');
  });

  it('has a role without permissions, which only EC2 gives, and which is a node', () => {
    const [roleId = '', role] =
      Object.entries(resourcesOf(workers, 'AWS::IAM::Role')).find(([id]) => id.startsWith('NodeRole')) ?? [];
    expect(role?.Properties).not.toHaveProperty('Policies');
    expect(role?.Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(role?.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' } }],
    });
    const { Environment } = resolve(resource(workers, 'AuthorizeFunction').Properties) as {
      Environment: { Variables: Record<string, string> };
    };
    expect(JSON.parse(Environment.Variables['DRIFTLESS_IDENTITIES'] ?? '')).toContainEqual({
      arn: `<${roleId}.Arn>`,
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:nodes'],
    });
    const before = new Set(allowedTo('authorize', withoutNodes));
    expect(allowedTo('authorize', workers).filter((line) => !before.has(line))).toEqual(['* ec2:DescribeInstances']);
  });

  it('lets people in by Session Manager only if they ask for it', () => {
    const entered = synthesizeStack({ workerGroup: { sessionManager: true }, api: 'container' });
    const role = Object.entries(resourcesOf(entered, 'AWS::IAM::Role')).find(([id]) => id.startsWith('NodeRole'))?.[1];
    expect(resolve(role?.Properties['ManagedPolicyArns'])).toEqual([
      'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore',
    ]);
  });

  it('admits only the API, to the port of its kubelets', () => {
    const rules = Object.values(resourcesOf(workers, 'AWS::EC2::SecurityGroupIngress')).map(
      ({ Properties }) => resolve(Properties) as { GroupId: string; SourceSecurityGroupId: string; FromPort: number },
    );
    const admitted = rules.filter(({ GroupId }) => GroupId === `<${nodeGroup}.GroupId>`);
    expect(admitted).toHaveLength(1);
    expect(admitted[0]?.SourceSecurityGroupId).toMatch(/^<ApiTaskGroup/);
    expect(admitted[0]?.FromPort).toBe(10_250);
    expect(resource(workers, nodeGroup).Properties).not.toHaveProperty('SecurityGroupIngress');
  });

  it('is in the network of the API`s function, too, of which the synthesis warns', () => {
    const stack = addDriftlessStack(createTestApp({ driftless: { workerGroup: {} } }));
    const template = Template.fromStack(stack);
    expect(Object.keys(resourcesOf(template, 'AWS::EC2::VPC'))).toHaveLength(1);
    expect(Object.keys(resourcesOf(template, 'AWS::EC2::NatGateway'))).toHaveLength(0);
    expect(resource(template, 'ApiFunction').Properties).toHaveProperty('VpcConfig');
    const warned = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('five watches'));
    expect(warned).toHaveLength(1);
  });

  it('can be in the network of other nodes, with their addresses', () => {
    const nodeNetwork = {
      vpcId: 'vpc-01234567',
      subnetIds: ['subnet-01234567', 'subnet-01234568'],
      securityGroupId: 'sg-01234567',
    };
    const template = synthesizeStack({ workerGroup: { maxSize: 9 }, nodeNetwork, api: 'container' });
    expect(only('AWS::AutoScaling::AutoScalingGroup', template).properties).toMatchObject({
      MaxSize: '9',
      VPCZoneIdentifier: nodeNetwork.subnetIds,
    });
    const { LaunchTemplateData } = only('AWS::EC2::LaunchTemplate', template).properties as unknown as {
      LaunchTemplateData: object;
    };
    expect(LaunchTemplateData).toMatchObject({ SecurityGroupIds: ['sg-01234567'] });
    expect(resourcesOf(template, 'AWS::EC2::VPC')).toEqual({});
  });

  it('is not there unless it is asked for', () => {
    for (const type of ['AWS::AutoScaling::AutoScalingGroup', 'AWS::EC2::LaunchTemplate', 'AWS::EC2::VPC'])
      expect(resourcesOf(withoutNodes, type)).toEqual({});
  });

  it.each([
    ['a Kubernetes of before 1.31', { kubernetesVersion: '1.30' }, 'a minor version of Kubernetes from 1.31 on'],
    ['fewer at most than at least', { minSize: 4, maxSize: 3 }, 'workerGroup.maxSize: must be at least minSize (4)'],
    ['an unknown field', { size: 4 }, 'workerGroup: has no field "size"'],
  ])('is refused with %s', (_, workerGroup, message) => {
    expect(() => synthesizeStack({ workerGroup })).toThrow(message);
  });
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
it.skipIf(!hasShellcheck)('shellcheck finds nothing in the script by which instances join', () => {
  const { stdout, status } = spawnSync('shellcheck', [SCRIPT], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
