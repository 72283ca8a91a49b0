import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { GUARDS } from '../../../infra/cdk/traffic/shiftGradually.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const before = synthesizeStack();
const gradual = synthesizeStack({ traffic: 'canary10Percent15Minutes' });
const container = synthesizeStack({ traffic: 'linear10PercentEvery3Minutes', api: 'container' });

type Template = typeof before;

/** Types of which a new resource costs no more than a moment. All others hold something, or their place in a stream. */
const FREE_TO_REPLACE = ['AWS::Lambda::Permission', 'AWS::ApiGateway::Deployment', 'AWS::CloudWatch::CompositeAlarm'];

/** The properties whose change makes CloudFormation replace a resource, of the types that gradual traffic changes: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html and others. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::EventSourceMapping': ['EventSourceArn', 'StartingPosition', 'StartingPositionTimestamp'],
  'AWS::Events::Rule': ['Name', 'EventBusName'],
  'AWS::ApiGateway::Method': ['HttpMethod', 'ResourceId', 'RestApiId'],
  'AWS::ApiGateway::Authorizer': ['RestApiId'],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::IAM::Role': ['Path', 'RoleName'],
  'Custom::AWS': ['ServiceToken'],
  'Custom::SmokeTest': ['ServiceToken'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
};

function all(template: Template) {
  return template.toJSON()['Resources'] as Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

/** The logical ids that a part of the template names. */
function namedIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [String((inner as readonly unknown[])[0])];
    if (key === 'DependsOn') return [inner].flat().map(String);
    return namedIn(inner);
  });
}

/** The resources that wait for each other for ever: CloudFormation refuses such a template. */
function circularIn(template: Template): readonly string[] {
  const left = new Map(Object.entries(all(template)).map(([id, resource]) => [id, namedIn(resource)]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [id, needed] of left) if (!needed.some((other) => other !== id && left.has(other))) left.delete(id);
  }
  return [...left.keys()];
}

describe('gradual traffic', () => {
  test.each([
    ['without it', before],
    ['with it', gradual],
    ['beside a container', container],
  ])('makes no circle of resources: %s', (_, template) => {
    expect(circularIn(template)).toEqual([]);
  });

  test('replaces nothing that a stack has by then, in either direction', () => {
    const [one, other] = [all(before), all(gradual)];
    const isFree = ({ Type }: { readonly Type: string }) => FREE_TO_REPLACE.includes(Type);
    const gone = Object.keys(one).filter((id) => !(id in other) && !isFree(one[id] as { Type: string }));
    expect(gone).toEqual([]);
    const changed = Object.entries(one).filter(
      ([id, { Properties }]) => id in other && !isDeepStrictEqual(Properties, other[id]?.Properties),
    );
    expect(changed.map(([, { Type }]) => Type)).toContain('AWS::Lambda::EventSourceMapping');
    for (const [id, { Type, Properties = {} }] of changed.filter(([, resource]) => !isFree(resource))) {
      const [replacedBy, after] = [REPLACED_BY[Type], other[id]?.Properties ?? {}];
      expect(replacedBy, `${id} of type ${Type} has changed`).toBeDefined();
      for (const name of replacedBy ?? []) expect(after[name], `${id} ${name}`).toEqual(Properties[name]);
    }
  });

  test('is off by default: functions are invoked themselves', () => {
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup']) {
      before.resourceCountIs(type, 0);
    }
  });

  test.each([
    ['a function', gradual, ['Api', 'Authorize', 'Record', 'Enqueue', 'Sync', 'Resync']],
    ['a container', container, ['Authorize', 'Record', 'Enqueue', 'Sync', 'Resync']],
  ])('moves an alias of each function, if the API is %s', (_, template, names) => {
    const aliases = Object.entries(resourcesOf(template, 'AWS::Lambda::Alias')) as [
      string,
      { Properties: Record<string, unknown>; UpdatePolicy?: object },
    ][];
    expect(aliases.map(([, { Properties }]) => String(resolve(Properties['FunctionName']))).toSorted()).toEqual(
      names.map((name) => `<${name}Function>`).toSorted(),
    );
    for (const [id, { Properties, UpdatePolicy }] of aliases) {
      expect(Properties).toMatchObject({ Name: 'live' });
      expect(resolve(Properties['FunctionVersion'])).toMatch(/^<\w+CurrentVersion\w+\.Version>$/);
      expect(UpdatePolicy, id).toHaveProperty('CodeDeployLambdaAliasUpdate.DeploymentGroupName');
    }
  });

  it.each([
    ['canary10Percent15Minutes', gradual, 'CodeDeployDefault.LambdaCanary10Percent15Minutes'],
    ['linear10PercentEvery3Minutes', container, 'CodeDeployDefault.LambdaLinear10PercentEvery3Minutes'],
  ])('goes as %s says, and back by any of five alarms', (_, template, DeploymentConfigName) => {
    const groups = Object.values(resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup'));
    expect(groups.length).toBeGreaterThan(4);
    for (const { Properties } of groups) {
      const { AlarmConfiguration } = resolve(Properties) as { AlarmConfiguration: { Alarms: { Name: string }[] } };
      const names = AlarmConfiguration.Alarms.map(({ Name }) => Name.replace(/^<(\w+)Alarm[0-9A-F]{8}>$/, '$1'));
      expect(names).toEqual(GUARDS);
      expect(Properties).toMatchObject({
        DeploymentConfigName,
        AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) },
      });
    }
  });

  it('has everything invoke aliases: triggers, schedules, API Gateway, the authorizer, and the end of a deployment', () => {
    const text = (value: unknown) => JSON.stringify(value);
    const invoking = [
      ...Object.values(resourcesOf(gradual, 'AWS::Lambda::EventSourceMapping')).map(
        ({ Properties }) => Properties['FunctionName'],
      ),
      ...Object.values(resourcesOf(gradual, 'AWS::Events::Rule')).map(({ Properties }) => Properties['Targets']),
      ...Object.values(resourcesOf(gradual, 'AWS::ApiGateway::Method')).map(
        ({ Properties }) => Properties['Integration'],
      ),
      ...Object.values(resourcesOf(gradual, 'AWS::Lambda::Permission')).map(
        ({ Properties }) => Properties['FunctionName'],
      ),
      resource(gradual, 'Authorizer').Properties['AuthorizerUri'],
    ];
    expect(invoking.length).toBeGreaterThan(15);
    for (const value of invoking) expect(text(value)).toMatch(/"\w+FunctionLive[0-9A-F]{8}"/);
    const calls = Object.values(resourcesOf(gradual, 'Custom::AWS')).map(({ Properties }) =>
      text(Properties['Create']),
    );
    expect(calls.filter((call) => call.includes('\\"action\\":\\"invoke\\"'))).toEqual([
      expect.stringContaining('\\"Qualifier\\":\\"live\\"') as string,
    ]);
  });

  it('needs alarms', () => {
    expect(() => synthesizeStack({ traffic: 'canary10Percent30Minutes', alarms: false })).toThrow(
      'stack property traffic: needs alarms',
    );
    expect(() => synthesizeStack({ traffic: 'canary10Percent5Minutes' })).toThrow(
      'stack property traffic: must be one of "allAtOnce", "canary10Percent15Minutes", "canary10Percent30Minutes", "linear10PercentEvery3Minutes", not "canary10Percent5Minutes"',
    );
  });
});
