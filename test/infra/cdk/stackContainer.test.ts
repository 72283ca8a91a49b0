import { readFileSync } from 'node:fs';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { FUNCTION_VARIABLES, VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';
import { DEFAULT_RUNTIME } from '../../../infra/cdk/nodeRuntime.ts';
import { createTestApp } from './createTestApp.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const app = createTestApp({ driftless: { api: 'container' } });
const stack = addDriftlessStack(app);
const template = Template.fromStack(stack);
const withFunction = synthesizeStack();

const only = (type: string) => {
  const found = Object.entries(resourcesOf(template, type));
  expect(found).toHaveLength(1);
  const [[logicalId, { Properties }] = ['', { Properties: {} }]] = found;
  return { logicalId, properties: resolve(Properties) as Record<string, never> };
};

interface SecurityGroupRule {
  readonly SourceSecurityGroupId?: unknown;
  readonly DestinationSecurityGroupId?: unknown;
  readonly CidrIp?: string;
  readonly FromPort: number;
}

describe('the API as a container', () => {
  const task = only('AWS::ECS::TaskDefinition').properties as unknown as {
    ContainerDefinitions: { Environment: { Name: string; Value: string }[] }[];
    TaskRoleArn: string;
  };

  it('is one small ARM task of Fargate, and there is no function for it', () => {
    expect(task).toMatchObject({
      Cpu: '256',
      Memory: '512',
      RuntimePlatform: { CpuArchitecture: 'ARM64' },
      RequiresCompatibilities: ['FARGATE'],
    });
    expect(only('AWS::ECS::Service').properties).toMatchObject({ DesiredCount: 1, LaunchType: 'FARGATE' });
    expect(Object.keys(resourcesOf(template, 'AWS::Lambda::Function'))).not.toContain('ApiFunction');
    expect(resourcesOf(template, 'AWS::EC2::NatGateway')).toEqual({});
  });

  const zonesOf = (of: Template) =>
    Object.values(resourcesOf(of, 'AWS::EC2::Subnet')).map(({ Properties }) => Properties);

  it('is in two zones in which API Gateway has VPC links, by their ids, in every region that has them', () => {
    const [first, second] = zonesOf(template);
    expect([first, second].map((zone) => zone?.['AvailabilityZoneId'])).toEqual(
      ['first', 'second'].map((which) => ({ 'Fn::FindInMap': ['VpcLinkZones', { Ref: 'AWS::Region' }, which] })),
    );
    expect(first).not.toHaveProperty('AvailabilityZone');
    template.hasMapping('VpcLinkZones', {
      'us-east-1': { first: 'use1-az1', second: 'use1-az2' },
      'eu-west-3': { first: 'euw3-az1', second: 'euw3-az3' },
    });
  });

  it('is in the zones that the user names', () => {
    const zones = zonesOf(synthesizeStack({ api: 'container', zoneIds: ['afs1-az1', 'afs1-az3'] }));
    expect(zones.map((zone) => zone['AvailabilityZoneId'])).toEqual(['afs1-az1', 'afs1-az3']);
  });

  it('is in the first two zones by name if it was created so', () => {
    const zones = zonesOf(synthesizeStack({ api: 'container', zoneIds: 'byName' }));
    expect(zones.map((zone) => zone['AvailabilityZone'])).toEqual(
      [0, 1].map((at) => ({ 'Fn::Select': [at, { 'Fn::GetAZs': '' }] })),
    );
    for (const zone of zones) expect(zone).not.toHaveProperty('AvailabilityZoneId');
  });

  it("runs on the functions' major version of Node, whose patch level a digest fixes", () => {
    const dockerfile = readFileSync(new URL('../../../infra/cdk/container/Dockerfile', import.meta.url), 'utf8');
    const major = /^nodejs(\d+)\.x$/.exec(DEFAULT_RUNTIME)?.[1];
    expect(dockerfile).toMatch(
      new RegExp(`^FROM public.ecr.aws/docker/library/node:${major}-bookworm-slim@sha256:[0-9a-f]{64}$`, 'm'),
    );
  });

  it('gets its own environment variables and no others, and holds watches for a minute less than API Gateway does', () => {
    const { Environment } = task.ContainerDefinitions[0] ?? { Environment: [] };
    const own = Environment.map(({ Name }) => Name).filter((name) => name.startsWith('DRIFTLESS_'));
    expect(own.toSorted()).toEqual(FUNCTION_VARIABLES.container.map((variable) => VARIABLES[variable]).toSorted());
    expect(Environment).toContainEqual({ Name: VARIABLES.watchSeconds, Value: '{"resumed":840,"unresumed":840}' });
    expect(Environment).toContainEqual({ Name: VARIABLES.maxWatches, Value: 'any' });
  });

  it('gets every request from API Gateway through the private network, streamed, with the user in headers', () => {
    const methods = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method')).map(
      ({ Properties }) => resolve(Properties) as { Integration: { Uri: string; RequestParameters: object } },
    );
    expect(methods).toHaveLength(2);
    for (const method of methods) {
      expect(method).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: '<Authorizer>',
        Integration: {
          Type: 'HTTP_PROXY',
          ConnectionType: 'VPC_LINK',
          ConnectionId: `<${only('AWS::ApiGatewayV2::VpcLink').logicalId}>`,
          IntegrationTarget: `<${only('AWS::ElasticLoadBalancingV2::LoadBalancer').logicalId}>`,
          IntegrationHttpMethod: 'ANY',
          ResponseTransferMode: 'STREAM',
          TimeoutInMillis: FUNCTIONS.api.timeoutMs,
          RequestParameters: {
            'integration.request.header.x-driftless-username': 'context.authorizer.username',
            'integration.request.header.x-driftless-uid': 'context.authorizer.uid',
            'integration.request.header.x-driftless-groups': 'context.authorizer.groups',
            'integration.request.header.x-driftless-claims': 'context.authorizer.claims',
          },
        },
      });
    }
    expect(
      methods.map(({ Integration }) => Integration.Uri.replace(/^http:\/\/<\w+\.DNSName>/, '')).toSorted(),
    ).toEqual(['/', '/{proxy}']);
  });

  it('can be reached only from the load balancer, and that only from API Gateway', () => {
    const groups = Object.values(resourcesOf(template, 'AWS::EC2::SecurityGroup')).map(({ Properties }) => Properties);
    for (const { SecurityGroupIngress } of groups) expect(SecurityGroupIngress).toBeUndefined();
    const rules = Object.values(resourcesOf(template, 'AWS::EC2::SecurityGroupIngress')).map(
      ({ Properties }) => resolve(Properties) as SecurityGroupRule & { GroupId: string },
    );
    const short = (id: unknown) =>
      String(id)
        .replace(/[0-9A-F]{8}\.GroupId>$/, '')
        .slice(1);
    expect(
      new Set(rules.map((rule) => `${short(rule.SourceSecurityGroupId)} -> ${short(rule.GroupId)}:${rule.FromPort}`)),
    ).toEqual(new Set(['ApiLinkGroup -> ApiBalancerGroup:80', 'ApiBalancerGroup -> ApiTaskGroup:8080']));
    expect(only('AWS::ElasticLoadBalancingV2::LoadBalancer').properties).toMatchObject({ Scheme: 'internal' });
  });

  it('has exactly the permissions of the function, without its log', () => {
    const allowed = (role: { Properties: Readonly<Record<string, unknown>> }) => {
      const [policy] = role.Properties['Policies'] as {
        PolicyDocument: { Statement: { Action: string | string[] }[] };
      }[];
      const statements = resolve(policy?.PolicyDocument.Statement ?? []) as { Action: string | string[] }[];
      return statements.filter(({ Action }) => ![Action].flat()[0]?.startsWith('logs:'));
    };
    const roleOf = (reference: string) => reference.replace(/^<(\w+)\.Arn>$/, '$1');
    const { Role } = resolve(resource(withFunction, 'ApiFunction').Properties) as { Role: string };
    const taskRole = resource(template, roleOf(task.TaskRoleArn));
    expect(allowed(taskRole)).toEqual(allowed(resource(withFunction, roleOf(Role))));
    expect(taskRole.Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(taskRole.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [{ Principal: { Service: 'ecs-tasks.amazonaws.com' } }],
    });
  });

  it('is answered for with 503 and Retry-After while it is replaced', () => {
    template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: 'INTEGRATION_FAILURE',
      StatusCode: '503',
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
    });
  });

  it('has its log lines that report a wrong setup counted for the alarm', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: { Ref: Match.stringLikeRegexp('^ApiContainerLog') },
      FilterPattern: '{ $.message = "the setup is wrong" }',
      MetricTransformations: [Match.objectLike({ MetricName: 'SetupProblems', MetricNamespace: 'Driftless' })],
    });
  });

  it('takes none of the account`s executions, so nothing is said about them', () => {
    expect(Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('watches'))).toEqual([]);
  });
});
