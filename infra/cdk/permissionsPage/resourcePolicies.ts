import type { Caller } from '../grants/Grant.ts';

/** What a resource of the stack lets others do to it, or forbids. */
export interface ResourcePolicy {
  /** Its logical id in the template. */
  readonly resource: string;
  readonly effect: 'Allow' | 'Deny';
  readonly action: string;
  /** A service of AWS; `*`: anybody. */
  readonly principal: string;
  /** The source of an invocation, or the condition of a statement, as the template has it: with logical ids in angle brackets, without the CDK's hashes, in REGION and ACCOUNT. */
  readonly onlyIf: string;
  /** The same in words. */
  readonly onlyIfWords: string;
  readonly caller: Caller;
  readonly why: string;
  /** Why there is a `*`: a sentence. Absent: there is none. */
  readonly whyEverything?: string;
}

const UNENCRYPTED = '{"Bool":{"aws:SecureTransport":"false"}}';
const NOT_ENCRYPTED = {
  effect: 'Deny',
  principal: '*',
  onlyIf: UNENCRYPTED,
  onlyIfWords: 'the connection is not encrypted',
  why: 'Refuses requests without TLS.',
  whyEverything: 'The statement denies: it has to hold for everybody and everything.',
} as const;

const queues = ['WorkQueue', 'DeadLetterQueue', 'GivenUpQueue'].map(
  (resource): ResourcePolicy => ({
    ...NOT_ENCRYPTED,
    resource,
    action: 'sqs:*',
    caller: 'infra/cdk/createQueues.ts#createQueue',
  }),
);

const INVOKE = { effect: 'Allow', action: 'lambda:InvokeFunction' } as const;
const BY_API = {
  ...INVOKE,
  principal: 'apigateway.amazonaws.com',
} as const;
const EXECUTE_API = 'arn:aws:execute-api:REGION:ACCOUNT:<Api>';

const requests = ['/*/*', '/*/'].map(
  (path): ResourcePolicy => ({
    ...BY_API,
    resource: 'ApiFunction',
    onlyIf: `${EXECUTE_API}/<ApiDeploymentStagek8s>${path}`,
    onlyIfWords: `a request to this stack's API comes, for ${path === '/*/' ? 'its root' : 'any path below'}`,
    caller: 'infra/cdk/addProxy.ts',
    why: 'Passes requests on.',
    whyEverything:
      'The API takes any method and path, as a Kubernetes API does. Only this API and its stage are named.',
  }),
);

const authorizer: ResourcePolicy = {
  ...BY_API,
  resource: 'AuthorizeFunction',
  onlyIf: `${EXECUTE_API}/authorizers/<Authorizer>`,
  onlyIfWords: "this stack's authorizer asks",
  caller: 'infra/cdk/createApi.ts#createAuthorizer',
  why: 'Asks who sends a request.',
};

const schedules = (
  [
    ['ApiFunction', 'apiwarmschedule', 'keepWarm', 'Keeps the function warm.'],
    ['AuthorizeFunction', 'authorizewarmschedule', 'keepWarm', 'Keeps the function warm.'],
    ['ResyncFunction', 'overdueschedule', 'schedule', 'Looks for overdue keys.'],
    ['ResyncFunction', 'heartbeatschedule', 'schedule', 'Gives every trigger something to do.'],
    ['ResyncFunction', 'allschedule', 'schedule', 'Has every key queued.'],
  ] as const
).map(
  ([resource, rule, name, why]): ResourcePolicy => ({
    ...INVOKE,
    resource,
    principal: 'events.amazonaws.com',
    onlyIf: `<${rule}.Arn>`,
    onlyIfWords: `this stack's rule \`${rule}\` is due`,
    caller: `infra/cdk/createTriggers.ts#${name}`,
    why,
  }),
);

/** With `traffic`, the aliases have the policies that the functions have otherwise. */
const aliases = [...requests, authorizer, ...schedules].map(
  (policy): ResourcePolicy => ({ ...policy, resource: `${policy.resource}Live` }),
);

const alarmMails: readonly ResourcePolicy[] = [
  {
    resource: 'AlarmMails',
    effect: 'Allow',
    action: 'sns:Publish',
    principal: 'cloudwatch.amazonaws.com',
    onlyIf: '{"StringEquals":{"aws:SourceAccount":"ACCOUNT"}}',
    onlyIfWords: 'the alarm is in the same account',
    caller: 'infra/cdk/alarms/createReceivers.ts#createTopic',
    why: 'Sends a mail for an alarm.',
  },
  {
    ...NOT_ENCRYPTED,
    resource: 'AlarmMails',
    action: 'sns:Publish',
    caller: 'infra/cdk/alarms/createReceivers.ts#createTopic',
  },
];

const endpoint: readonly ResourcePolicy[] = (
  [
    ['Allow', 'StringEquals', 'through the interface endpoint', 'Lets the network of the endpoint call the API.'],
    ['Deny', 'StringNotEquals', 'another way than through the interface endpoint', 'Keeps all others away.'],
  ] as const
).map(([effect, condition, way, why]) => ({
  resource: 'Api',
  effect,
  action: 'execute-api:Invoke',
  principal: '*',
  onlyIf: `{"${condition}":{"aws:SourceVpce":"<ApiEndpoint>"}}`,
  onlyIfWords: `\`endpoint\` is \`private\` and the request comes ${way}`,
  caller: 'infra/cdk/frontDoor/createPrivateEndpoint.ts#endpointPolicy',
  why,
  whyEverything: 'It is about the whole API and whoever calls it; the authorizer identifies each caller.',
}));

const CREATE_KEY = 'infra/cdk/storage/createEncryptionKey.ts';
const USE_KEY = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];
const KEY_ITSELF = 'In the policy of a key, `*` is that key.';

function keyPolicies(
  actions: readonly string[],
  more: Pick<ResourcePolicy, 'principal' | 'onlyIf' | 'onlyIfWords' | 'caller' | 'why'>,
): readonly ResourcePolicy[] {
  return actions.map((action) => ({
    resource: 'EncryptionKey',
    effect: 'Allow',
    action,
    whyEverything: KEY_ITSELF,
    ...more,
  }));
}

/** The account of the copies, in the ARN of its vault. */
const COPYING = { principal: 'the account of `backupCopies.vaultArn`', caller: `${CREATE_KEY}#letCopies` } as const;

const encryptionKey: readonly ResourcePolicy[] = [
  ...keyPolicies(['kms:*'], {
    principal: 'arn:aws:iam::ACCOUNT:root',
    onlyIf: '',
    onlyIfWords: 'a policy of IAM in this account allows it, too',
    caller: `${CREATE_KEY}#createEncryptionKey`,
    why: 'Has the policies of roles and users decide who uses and administers the key.',
  }),
  ...keyPolicies(USE_KEY, {
    principal: '*',
    onlyIf:
      '{"StringEquals":{"kms:CallerAccount":"ACCOUNT"},"StringLike":{"kms:ViaService":["dynamodb.REGION.amazonaws.com*","sqs.REGION.amazonaws.com*","lambda.REGION.amazonaws.com*"]},"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::ACCOUNT:role/driftless-*"}}',
    onlyIfWords: "a role whose name begins with the stack's has DynamoDB, SQS or Lambda ask for it",
    caller: `${CREATE_KEY}#letRoles`,
    why: 'Lets the functions and the container of a running stack use the key as soon as the tables have it.',
  }),
  ...keyPolicies(USE_KEY, {
    principal: 'logs.REGION.amazonaws.com',
    onlyIf: '{"ArnLike":{"kms:EncryptionContext:aws:logs:arn":"arn:aws:logs:REGION:ACCOUNT:log-group:*"}}',
    onlyIfWords: 'it is for a log group of this account',
    caller: `${CREATE_KEY}#letLogs`,
    why: 'Encrypts and decrypts the logs.',
  }),
  ...keyPolicies(['kms:Decrypt', 'kms:GenerateDataKey*'], {
    principal: 'cloudwatch.amazonaws.com',
    onlyIf: '',
    onlyIfWords: 'there is an `alarmEmail`',
    caller: `${CREATE_KEY}#letAlarms`,
    why: 'Publishes alarms to the encrypted topic.',
  }),
  ...keyPolicies(USE_KEY, {
    ...COPYING,
    onlyIf: '',
    onlyIfWords: 'there are `backupCopies`',
    why: 'Reads the backups that it copies.',
  }),
  ...keyPolicies(['kms:CreateGrant'], {
    ...COPYING,
    onlyIf: '{"Bool":{"kms:GrantIsForAWSResource":"true"}}',
    onlyIfWords: 'a service of AWS asks for it',
    why: 'Lets AWS Backup read them there.',
  }),
];

/** The policies of all resources that a stack can have. */
export const RESOURCE_POLICIES: readonly ResourcePolicy[] = [
  ...requests,
  authorizer,
  ...schedules,
  ...aliases,
  ...queues,
  ...alarmMails,
  ...endpoint,
  ...encryptionKey,
];
