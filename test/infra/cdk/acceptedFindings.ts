/** A finding of cdk-nag that is right to stay. */
export interface AcceptedFinding {
  readonly rule: string;
  /** The constructs for which the reason holds, by their paths in the stack. */
  readonly at: readonly string[];
  readonly why: string;
}

const METHODS = ['Api/Default/ANY', 'Api/Default/{proxy+}/ANY'];
const MANAGED_POLICY = 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy';

/** Every finding of cdk-nag's AwsSolutions checks that the stack does not mend, and why. */
export const ACCEPTED_FINDINGS: readonly AcceptedFinding[] = [
  {
    rule: 'AwsSolutions-APIG1',
    at: ['Api/DeploymentStage.k8s'],
    why: 'The stage has an access log unless the user switches it off with `accessLogs: false`.',
  },
  {
    rule: 'AwsSolutions-APIG2',
    at: ['Api'],
    why: 'The API validates requests itself, and answers invalid ones as Kubernetes does; API Gateway would answer in another form.',
  },
  {
    rule: 'AwsSolutions-APIG3',
    at: ['Api/DeploymentStage.k8s'],
    why: 'A web ACL is billed by the month and by request. All requests are throttled and authorized, and users who want an ACL can attach theirs to the stage.',
  },
  {
    rule: 'AwsSolutions-APIG6',
    at: ['Api/DeploymentStage.k8s'],
    why: "The access log has one line for each request, and the functions' logs have the errors; API Gateway's execution log would add several billed lines to each request.",
  },
  {
    rule: 'AwsSolutions-AS3',
    at: ['Workers/ASG'],
    why: 'A node that comes or goes is no reason to send somebody a mail; the cluster shows it as a Node.',
  },
  {
    rule: 'AwsSolutions-COG4',
    at: METHODS,
    why: 'Callers are identities of IAM or service accounts, which the authorizer of the stack identifies. Cognito knows neither.',
  },
  {
    rule: 'AwsSolutions-DDB3',
    at: ['KeysTable', 'LogTable', 'NamespacesTable', 'VersionsTable'],
    why: 'A restore needs the objects alone: `resync` makes the other tables fit them, whatever is in those.',
  },
  {
    rule: 'AwsSolutions-DDB3',
    at: ['ObjectsTable'],
    why: 'The objects can be restored unless the user switches that off with `pointInTimeRecoveryDays: 0`.',
  },
  {
    rule: 'AwsSolutions-EC23',
    at: ['DirectGroup'],
    why: 'The user has asked for this address with `directAddress`. Only one port is open, behind which the API identifies every caller; an internal load balancer has no address outside of the network.',
  },
  {
    rule: 'AwsSolutions-ECS2',
    at: ['ApiTask'],
    why: 'The variables are names and settings; none is a secret.',
  },
  {
    rule: 'AwsSolutions-ECS4',
    at: ['ApiCluster'],
    why: 'Container Insights is billed for each metric. The alarms and the dashboard use metrics that are free.',
  },
  {
    rule: 'AwsSolutions-ELB2',
    at: ['ApiBalancer'],
    why: "Every request to this load balancer comes through API Gateway and is in that one's access log.",
  },
  {
    rule: 'AwsSolutions-ELB2',
    at: ['DirectBalancer'],
    why: 'A Network Load Balancer logs TLS connections that it ends itself. It passes these on as TCP, so it would log none.',
  },
  {
    rule: `${MANAGED_POLICY}/AmazonSSMManagedInstanceCore]`,
    at: ['NodeRole'],
    why: 'See `STACK_ROLES`: the user has asked for Session Manager, whose agent updates itself, and AWS keeps the policy up to what it needs.',
  },
  {
    rule: `${MANAGED_POLICY}/service-role/AWSBackupServiceRolePolicyForBackup]`,
    at: ['BackupRole'],
    why: 'See `STACK_ROLES`: AWS Backup needs what the policy lists, and AWS keeps it up to what that is. Only AWS Backup can assume the role.',
  },
  {
    rule: `${MANAGED_POLICY}/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`,
    at: ['Api/CloudWatchRole', 'GatewayLogRole'],
    why: 'See `STACK_ROLES`: all APIs of the account and region share this role, so it cannot be limited to the log of one.',
  },
  {
    rule: `${MANAGED_POLICY}/service-role/AWSCodeDeployRoleForLambdaLimited]`,
    at: ['TrafficRole'],
    why: 'See `STACK_ROLES`: no account has shown which calls CodeDeploy makes, and AWS keeps the policy up to them.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: [
      'ApiFunctionRole',
      'ApiTask/ExecutionRole/DefaultPolicy',
      'ApiTaskRole',
      'AuthorizeFunctionRole',
      'EnqueueFunctionRole',
      'RecordFunctionRole',
      'ResyncFunctionRole',
      'SyncFunctionRole',
    ],
    why: 'Each action that is for all resources is in `docs/permissions.md` with its reason (`whyEverything`), and `stackStatements.test.ts` finds those that are not.',
  },
  {
    rule: 'AwsSolutions-L1',
    at: [
      'ApiFunction',
      'AuthorizeFunction',
      'EnqueueFunction',
      'RecordFunction',
      'ResyncFunction',
      'SmokeTestFunction',
      'SyncFunction',
    ],
    why: 'The functions run on the newest Node of Lambda unless the user chooses an older one with `runtime`.',
  },
  {
    rule: 'AwsSolutions-SQS3',
    at: ['GivenUpQueue'],
    why: '`resync` must carry out every notice in this queue, so none is moved away; each is tried again for 14 days, and the alarm GivenUp tells of it.',
  },
  {
    rule: 'AwsSolutions-VPC7',
    at: ['ApiVpc'],
    why: 'Flow logs are billed for each connection. Users who want them can add them to the network.',
  },
];
