import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const IDENTITY = {
  arn: 'arn:aws:iam::111122223333:role/Node',
  username: 'system:node:{{EC2PrivateDNSName}}',
  groups: ['system:nodes'],
};
const withoutAddress = synthesizeStack({ api: 'container', identities: [IDENTITY] });
const internal = synthesizeStack({ api: 'container', directAddress: 'internal', identities: [IDENTITY] });

/** The load balancers of the stack that pass connections on as they are. */
const networkBalancers = (template: typeof internal) =>
  Object.entries(resourcesOf(template, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).filter(
    ([, { Properties }]) => Properties['Type'] === 'network',
  );

function taskOf(template: typeof internal) {
  const [task] = Object.values(resourcesOf(template, 'AWS::ECS::TaskDefinition'));
  const { ContainerDefinitions, TaskRoleArn } = resolve(task?.Properties) as {
    ContainerDefinitions: { PortMappings: object[]; Environment: { Name: string; Value: string }[] }[];
    TaskRoleArn: string;
  };
  const [{ PortMappings, Environment } = { PortMappings: [], Environment: [] }] = ContainerDefinitions;
  const role = resource(template, TaskRoleArn.replace(/^<(\w+)\.Arn>$/, '$1'));
  const values = Object.fromEntries(Environment.map(({ Name, Value }) => [Name, Value]));
  return { ports: PortMappings, role: JSON.stringify(role.Properties), values };
}

describe('the container`s own address', () => {
  const [[balancerId, balancer] = ['', undefined]] = networkBalancers(internal);

  it('is a load balancer of the network that does not read what it passes on', () => {
    expect(networkBalancers(internal)).toHaveLength(1);
    expect(balancer?.Properties['Scheme']).toBe('internal');
    const listeners = Object.values(resourcesOf(internal, 'AWS::ElasticLoadBalancingV2::Listener')).map(
      ({ Properties }) => Properties,
    );
    expect(listeners).toContainEqual(expect.objectContaining({ Port: 6443, Protocol: 'TCP' }));
    expect(taskOf(internal).ports).toEqual([
      expect.objectContaining({ ContainerPort: 8080 }),
      expect.objectContaining({ ContainerPort: 6443 }),
    ]);
  });

  it('is the name for which the container has a certificate', () => {
    const { values } = taskOf(internal);
    expect(values[VARIABLES.directName]).toBe(`<${balancerId}.DNSName>`);
    expect(values[VARIABLES.directListen]).toBe('6443');
    expect(resolve(internal.findOutputs('DirectUrl')['DirectUrl'])).toMatchObject({
      Value: `https://<${balancerId}.DNSName>:6443`,
    });
  });

  it('admits nobody to the port on which the container believes API Gateway', () => {
    const rules = Object.values(resourcesOf(internal, 'AWS::EC2::SecurityGroupIngress')).map(
      ({ Properties }) => resolve(Properties) as { GroupId: string; SourceSecurityGroupId: string; FromPort: number },
    );
    const short = (id: string) => id.replace(/[0-9A-F]{8}\.GroupId>$/, '').slice(1);
    expect(
      new Set(rules.map((rule) => `${short(rule.SourceSecurityGroupId)} -> ${short(rule.GroupId)}:${rule.FromPort}`)),
    ).toEqual(
      new Set([
        'ApiLinkGroup -> ApiBalancerGroup:80',
        'ApiBalancerGroup -> ApiTaskGroup:8080',
        'DirectGroup -> ApiTaskGroup:6443',
      ]),
    );
  });

  it('lets the container ask EC2 for instances, if identities are named after them', () => {
    expect(taskOf(internal).role).toContain('ec2:DescribeInstances');
    expect(taskOf(withoutAddress).role).not.toContain('ec2:');
    const unnamed = synthesizeStack({ api: 'container', directAddress: 'internal' });
    expect(taskOf(unnamed).role).not.toContain('ec2:');
  });

  it('can be for everybody', () => {
    const [[, open] = []] = networkBalancers(synthesizeStack({ api: 'container', directAddress: 'public' }));
    expect(open?.Properties['Scheme']).toBe('internet-facing');
  });

  it('is not there unless it is asked for', () => {
    expect(networkBalancers(withoutAddress)).toEqual([]);
    expect(taskOf(withoutAddress).values[VARIABLES.directName]).toBe('none');
    expect(taskOf(withoutAddress).ports).toHaveLength(1);
    expect(withoutAddress.findOutputs('DirectUrl')).toEqual({});
  });

  it.each([
    ['a function', { directAddress: 'internal' }, 'directAddress: needs api to be "container"'],
    [
      'a cluster that signs no certificates',
      { directAddress: 'internal', api: 'container', nodesJoin: false },
      'nodesJoin: must be true',
    ],
  ])('is refused for %s', (_, knobs, message) => {
    expect(() => synthesizeStack(knobs)).toThrow(message);
  });
});
