import { FUNCTIONS, type FunctionSpec } from '../../topology.ts';
import { DESCRIPTIONS, logicalName } from '../createFunctions.ts';
import { SMOKE_TEST_GRANTS } from '../smokeTest/createSmokeTest.ts';
import { functionGrants, taskGrants } from '../createRole.ts';
import { DEPLOYMENT_GRANTS } from '../createDeploymentRole.ts';
import { GATEWAY_ACCOUNT_GRANTS } from '../gatewayAccount/createGatewayAccount.ts';
import type { Caller, Grant } from '../grants/Grant.ts';
import { BACKUP_POLICY } from '../storage/createBackups.ts';

/** A policy of AWS' own, which lists more than a policy of this stack would. */
export interface ManagedPolicy {
  readonly name: string;
  readonly caller: Caller;
  readonly why: string;
  /** When the role has it, for `docs/permissions.md`. */
  readonly when: string;
  /** Why no policy of this stack takes its place: a sentence. */
  readonly whyEverything: string;
}

/** A role of the stack with everything that it allows. */
export interface StackRole {
  readonly title: string;
  /** Its logical id in the template, without the CDK's hash. */
  readonly role: string;
  /** The one service that can assume it. */
  readonly assumedBy: string;
  /** What has it: sentences. */
  readonly about: string;
  readonly grants: readonly Grant[];
  readonly managedPolicies?: readonly ManagedPolicy[];
}

const CREATE_API_SERVICE = 'infra/cdk/createApiService.ts';

/** The role that the CDK creates for Fargate. */
const START_TASK: readonly Grant[] = [
  {
    actions: ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'],
    on: 'imageRepository',
    caller: `${CREATE_API_SERVICE}#containerImage`,
    service: 'ECS',
    why: 'Pulls the image.',
  },
  {
    actions: ['ecr:GetAuthorizationToken'],
    on: 'everything',
    caller: `${CREATE_API_SERVICE}#containerImage`,
    service: 'ECS',
    why: 'Logs in to the registry of images.',
    whyEverything:
      'The login is for the whole registry, so IAM cannot limit this action. What can be pulled is limited.',
  },
  {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    on: 'ownLog',
    caller: `${CREATE_API_SERVICE}#createService`,
    service: 'ECS',
    why: 'Writes what the container prints to the log group of the container.',
  },
];

/** Every role that a stack can have. */
export const STACK_ROLES: readonly StackRole[] = [
  ...Object.values<FunctionSpec>(FUNCTIONS).map(functionRole),
  {
    title: 'The container of the API',
    role: 'ApiTaskRole',
    assumedBy: 'ecs-tasks.amazonaws.com',
    about: 'With `api: "container"` it takes the place of the function `api`, and may do what that does.',
    grants: taskGrants(),
  },
  {
    title: 'The start of the container',
    role: 'ApiTaskExecutionRole',
    assumedBy: 'ecs-tasks.amazonaws.com',
    about: 'Fargate starts the container with it. The container itself does not have it.',
    grants: START_TASK,
  },
  {
    title: 'The end of a deployment',
    role: 'QueueAllAtStartRole',
    assumedBy: 'lambda.amazonaws.com',
    about: 'A function of the CDK has it, which CloudFormation invokes at the end of a deployment.',
    grants: DEPLOYMENT_GRANTS,
  },
  {
    title: "The account's role",
    role: 'GatewayAccountRole',
    assumedBy: 'lambda.amazonaws.com',
    about:
      'A function has it that CloudFormation invokes in a deployment, unless `apiGatewayAccount` is true or false.',
    grants: GATEWAY_ACCOUNT_GRANTS,
  },
  {
    title: 'The smoke test',
    role: 'SmokeTestRole',
    assumedBy: 'lambda.amazonaws.com',
    about:
      'A function has it that CloudFormation invokes at the end of a deployment, with `smokeTest`. In the API it is the user `driftless:smoke-test`, with the Role of that name in the namespace `driftless-smoke-test`, and without rights elsewhere.',
    grants: SMOKE_TEST_GRANTS,
  },
  gatewayLogRole('GatewayLogRole', 'unless `apiGatewayAccount` is true or false'),
  gatewayLogRole('ApiCloudWatchRole', 'if `apiGatewayAccount` is true'),
  {
    title: 'Gradual traffic',
    role: 'TrafficRole',
    assumedBy: 'codedeploy.amazonaws.com',
    about: 'CodeDeploy has it, with `traffic` other than `allAtOnce`.',
    grants: [],
    managedPolicies: [
      {
        name: 'service-role/AWSCodeDeployRoleForLambdaLimited',
        caller: 'infra/cdk/traffic/shiftGradually.ts',
        why: 'Moves the aliases of the functions, and looks at the alarms.',
        when: 'with `traffic` other than `allAtOnce`',
        whyEverything: 'CodeDeploy decides which calls it makes, and AWS keeps this policy up to them.',
      },
    ],
  },
  {
    title: 'The backups',
    role: 'BackupRole',
    assumedBy: 'backup.amazonaws.com',
    about: 'AWS Backup has it, with `backupCopies`. The plan names the table of objects alone.',
    grants: [],
    managedPolicies: [
      {
        name: BACKUP_POLICY,
        caller: 'infra/cdk/storage/createBackups.ts#createBackupRole',
        why: 'Backs up the table of objects, and copies the backups to the vault that the user names.',
        when: 'with `backupCopies`',
        whyEverything: 'AWS Backup needs what this policy lists, and AWS keeps it up to what that is.',
      },
    ],
  },
  {
    title: 'The nodes',
    role: 'NodeRole',
    assumedBy: 'ec2.amazonaws.com',
    about:
      'The instances of a `workerGroup` have it. To join it needs no permission: STS tells everybody who they are.',
    grants: [],
    managedPolicies: [
      {
        name: 'AmazonSSMManagedInstanceCore',
        caller: 'infra/cdk/workers/createWorkers.ts#createNodeRole',
        why: 'Lets the agent of Systems Manager open sessions.',
        when: 'with `sessionManager`',
        whyEverything: 'The agent updates itself, and AWS keeps this policy up to what it needs.',
      },
    ],
  },
];

function gatewayLogRole(role: string, when: string): StackRole {
  return {
    title: `The logs of API Gateway, ${when}`,
    role,
    assumedBy: 'apigateway.amazonaws.com',
    about: 'API Gateway has it for all APIs of the account and region.',
    grants: [],
    managedPolicies: [
      {
        name: 'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
        caller: 'infra/cdk/createApi.ts',
        why: 'Writes the access log.',
        when,
        whyEverything:
          'An account has one such role in a region, and all its APIs write their logs with it, so it cannot be limited to the log of one.',
      },
    ],
  };
}

function functionRole(spec: FunctionSpec): StackRole {
  return {
    title: `\`${spec.name}\``,
    role: `${logicalName(spec.name)}Role`,
    assumedBy: 'lambda.amazonaws.com',
    about: `${DESCRIPTIONS[spec.name]}.`,
    grants: functionGrants(spec),
  };
}
