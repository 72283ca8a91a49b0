import { join } from 'node:path';
import { Annotations, CfnResource, CustomResource, Duration, Lazy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { IdentityMapping } from '../../../lambdas/functions/authorize/mapCaller.ts';
import { SMOKE_TEST_USER } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import { bundledCode } from '../bundledCode.ts';
import { bundleEntry, ROOT } from '../bundleFunction.ts';
import { createLogGroup } from '../createFunctions.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';
import type { FunctionParts } from '../FunctionParts.ts';
import type { Grant } from '../grants/Grant.ts';
import { policyOf } from '../grants/policyOf.ts';
import { WRITE_LOG } from '../grants/serviceGrants.ts';
import { shortHashOf } from '../shortHashOf.ts';
import type { SmokeTestProperties } from './index.ts';
import { planSmokeTest, type SmokeTestPlan } from './planSmokeTest.ts';
import { CLEANUP_MS, SMOKE_TEST_MS } from './runSmokeTest.ts';

const ENTRY = join(ROOT, 'infra', 'cdk', 'smokeTest', 'index.ts');
/** For the requests that are under way at the end of each part, the questions to CloudFormation, and the answer. */
const SPARE_MS = 180_000;
const FUNCTION_TIMEOUT_MS = SMOKE_TEST_MS + CLEANUP_MS + SPARE_MS;

/** Who the smoke test is, and how much it can check. */
export interface SmokeTester {
  readonly plan: SmokeTestPlan;
  readonly role: Role;
}

/** Creates the role of the smoke test, which the API has to know as a user. `undefined` if the stack has no smoke test, of which a warning tells if the user has not switched it off. */
export function createSmokeTester(scope: Construct, props: DriftlessStackProps): SmokeTester | undefined {
  if (!props.smokeTest) return undefined;
  const plan = planSmokeTest(props);
  if (plan.checks !== 'rollout') {
    const skipped = plan.checks === 'nothing' ? 'does not run' : 'does not wait for pods';
    Annotations.of(scope).addWarningV2('driftless:smokeTest', `smokeTest: it ${skipped}, because ${plan.because}`);
  }
  if (plan.checks === 'nothing') return undefined;
  return {
    plan,
    role: new Role(scope, 'SmokeTestRole', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
  };
}

/** The identity by which the smoke test is a user of the API. `resync` gives that user its role. */
export function smokeTestIdentity({ role }: SmokeTester): IdentityMapping {
  return { arn: role.roleArn, username: SMOKE_TEST_USER, groups: [] };
}

/** What the function does, and what Lambda does for it. Its requests to the API need no permission: STS tells everybody who they are. */
export const SMOKE_TEST_GRANTS: readonly Grant[] = [
  WRITE_LOG,
  {
    actions: ['cloudformation:DescribeStacks'],
    on: 'stack',
    caller: 'infra/cdk/smokeTest/index.ts#stackStatus',
    why: 'Asks whether the stack is being rolled back: a test that fails then must not make the rollback fail.',
  },
];

/**
 * Tests the control plane at the end of each deployment: a failure rolls it back. Call it when all that it needs is in the stack: it waits for everything that is there by then. What is created later waits for the test only if it says so. Returns what the test comes to.
 */
export function createSmokeTest(
  scope: Construct,
  { plan, role }: SmokeTester,
  { server, ...parts }: FunctionParts & { readonly server: string },
): string {
  const everything = [...scope.node.children];
  const logGroup = createLogGroup(scope, 'SmokeTestLog', parts);
  const stackArn = Stack.of(scope).stackId;
  const policy = policyOf(SMOKE_TEST_GRANTS, { ...parts, logGroup, stackArn });
  (role.node.defaultChild as CfnResource).addPropertyOverride('Policies', [
    { PolicyName: 'Own', PolicyDocument: policy },
  ]);
  const test = new CustomResource(scope, 'SmokeTest', {
    resourceType: 'Custom::SmokeTest',
    serviceToken: createFunction(scope, { role, logGroup, parts }).functionArn,
    serviceTimeout: Duration.millis(FUNCTION_TIMEOUT_MS + 30_000),
    properties: {
      ApiUrl: server,
      ClusterId: parts.clusterId,
      Plan: JSON.stringify(plan),
      Release: Lazy.uncachedString({ produce: () => releaseOf(Stack.of(scope), test) }),
    } satisfies SmokeTestProperties & { readonly Release: string },
  });
  test.node.addDependency(...everything);
  return test.getAttString('Outcome');
}

/** A hash of all other resources: CloudFormation runs the test again whenever any of them changes. */
function releaseOf(stack: Stack, test: CustomResource): string {
  const resources = stack.node.findAll().filter((one) => CfnResource.isCfnResource(one));
  const others = resources.filter((one) => one !== test.node.defaultChild);
  // oxlint-disable-next-line no-underscore-dangle -- the CDK shows in no other way what a resource becomes in the template
  return shortHashOf(others.map((one) => stack.resolve(one._toCloudFormation()) as unknown));
}

interface FunctionOptions {
  readonly role: Role;
  readonly logGroup: LogGroup;
  readonly parts: FunctionParts;
}

function createFunction(scope: Construct, { role, logGroup, parts: { props } }: FunctionOptions): LambdaFunction {
  return new LambdaFunction(scope, 'SmokeTestFunction', {
    description: 'Tests the control plane at the end of a deployment',
    runtime: new Runtime(props.runtime, RuntimeFamily.NODEJS),
    architecture: Architecture.ARM_64,
    code: bundledCode(ENTRY, (directory) => bundleEntry(ENTRY, 'smokeTest', directory, props.runtime)),
    handler: 'index.handler',
    memorySize: 256,
    timeout: Duration.millis(FUNCTION_TIMEOUT_MS),
    role: role.withoutPolicyUpdates(),
    logGroup,
  });
}
