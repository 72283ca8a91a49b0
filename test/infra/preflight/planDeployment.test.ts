import { expect, test } from 'vitest';
import { readCdkContext } from '../../../infra/emulation/template/readCdkContext.ts';
import { planDeployment } from '../../../infra/preflight/planDeployment.ts';
import { resourcesOfType } from '../../../infra/preflight/Plan.ts';

/** Names in these places belong to one function, queue, role, API or log group, or are made for a tag. They cannot be taken by another stack. */
const NOT_ACCOUNT_WIDE =
  /^(?:AWS::Lambda::(?:Permission|EventSourceMapping)|AWS::Logs::MetricFilter|AWS::IAM::Policy)$/;
/** Names that others may have, too. The report tells of the first. */
const MAY_BE_SHARED = ['AWS::ApiGateway::RestApi.Name', 'AWS::ApiGatewayV2::VpcLink.Name'];
/** Names within the stack's own API, or of AWS' services and metrics. */
const INSIDE = [
  'AWS::ApiGateway::Stage.StageName',
  'AWS::ApiGateway::Authorizer.Name',
  'AWS::CloudWatch::Alarm.MetricName',
];

const MOST_KNOBS = {
  api: 'container',
  alarms: 'all',
  alarmEmail: 'ops@example.com',
  monthlyBudget: 20,
  directAddress: 'public',
  workerGroup: {},
};

/** The first synthesis in a process loads most of the CDK, which takes seconds, so both are made before the tests. */
const plan = await planDeployment({ ...readCdkContext(), 'driftless:stackName': 'mine', 'driftless:nodes': '7' });
const { resources } = await planDeployment({ ...readCdkContext(), driftless: MOST_KNOBS });

test('a plan has what the template asks for', () => {
  expect(plan).toMatchObject({ stackName: 'mine', props: { nodes: 7 }, concurrency: { syncMaxConcurrency: 2 } });
  expect(plan.bootstrap).toEqual({ parameter: '/cdk-bootstrap/hnb659fds/version', leastVersion: 6 });
  expect(resourcesOfType(plan.resources, 'AWS::DynamoDB::Table')).toHaveLength(5);
  expect(resourcesOfType(plan.resources, 'AWS::EC2::VPC')).toHaveLength(0);
});

test('the template has no names that could be taken but those that are checked', () => {
  const named = Object.values(resources).flatMap(({ Type, Properties = {} }) =>
    Object.entries(Properties)
      .filter(
        ([property, value]) => property.endsWith('Name') && typeof value === 'string' && !NOT_ACCOUNT_WIDE.test(Type),
      )
      .map(([property]) => `${Type}.${property}`),
  );
  const others = [...new Set(named)].filter((name) => ![...MAY_BE_SHARED, ...INSIDE].includes(name));
  expect(others).toEqual(['AWS::CloudWatch::CompositeAlarm.AlarmName']);
});

test.each([
  [{ 'driftless:acountConcurrency': '10' }, /^there is no knob acountConcurrency/],
  [{ 'driftless:accountConcurrency': '5' }, /^stack property accountConcurrency: must be an integer from 10/],
  [{ 'driftless:stackName': 'a b' }, /^stack property stackName/],
  [{ driftless: { api: 'pigeon' } }, /^stack property api: must be one of/],
  [{ 'driftless:config': '{"controllers":7}' }, /controllers/],
])('%j is refused in one line', async (context, message) => {
  const error: Error = await planDeployment(context).then(
    () => new Error('accepted'),
    (reason: unknown) => reason as Error,
  );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain('\n');
});
