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

/** The policies of all resources that a stack can have. */
export const RESOURCE_POLICIES: readonly ResourcePolicy[] = [
  ...requests,
  authorizer,
  ...schedules,
  ...aliases,
  ...queues,
  ...alarmMails,
];
