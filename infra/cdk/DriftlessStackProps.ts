import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import type { IdentityMapping } from '../../lambdas/functions/authorize/mapCaller.ts';
import { FUNCTION_WATCH_SECONDS } from '../../lambdas/functions/limits.ts';
import { DEFAULT_RUNTIME, type NodeRuntime } from './nodeRuntime.ts';
import type { TableName } from './TableName.ts';
import { FUNCTIONS, type FunctionName } from '../topology.ts';

/** Every knob of the stack with its value. A user sets any of them; parseStackProps adds the defaults. */
export interface DriftlessStackProps {
  /**
   * The name that tokens are signed for (`aws eks get-token --cluster-name`). Each control plane needs its own: with a shared name, a token for one is valid for
   * the other. Default: made of the stack's name, region and account.
   */
  readonly clusterId?: string;
  /** The IAM identities that may use the API, and the Kubernetes user and groups of each. All others are refused. */
  readonly identities: readonly IdentityMapping[];
  /** The control plane's configuration, as lambdas/functions/parseConfig.ts reads it: controllers on or off, API versions served, resync period, addresses of webhooks' services, and `requestLimits`: how many requests a second a user and a namespace have. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * What answers the API: a function, which costs nothing while nobody asks or watches, or one container, which costs the same every month and is cheaper for more than one
   * watch that is always open.
   */
  readonly api: 'function' | 'container';
  /** The number of simulated nodes. */
  readonly nodes: number;
  /**
   * Whether kubelets may join: the control plane has a certificate authority, whose key is kept in the table of versions, and signs the certificates of nodes. It costs nothing until a node joins. Default: true with
   * `nodeNetwork`, `workerGroup` or `directAddress`. A kubelet is a node if its role is among the `identities`, as `system:node:{{EC2PrivateDNSName}}` in `system:nodes`.
   */
  readonly nodesJoin: boolean;
  /**
   * An example of nodes: a launch template and an auto scaling group of EC2 instances that join by `workers/join-node.sh`. Absent: none. Without `nodeNetwork` they are in a network of the stack's own. Their role is a node by
   * itself. Run the API as a container then: each kubelet keeps five watches open, and one more for each config map and secret that its pods use.
   */
  readonly workerGroup?: WorkerGroup;
  /**
   * An address of the container besides API Gateway's, in its network (`internal`) or for everybody (`public`): a load balancer, $16.43 a month and the traffic, and for a public one $3.65 for each of two addresses. The
   * container serves HTTPS there with a certificate of the cluster's authority, and identifies its callers as the authorizer does. Only there streams can be opened: `kubectl exec`, `attach`, `port-forward`, `cp`. Needs
   * `api: 'container'`.
   */
  readonly directAddress?: 'internal' | 'public';
  /** The network in which kubelets are. The API is put into it, so that it can read logs. Absent: a function reaches no kubelets, and a container is in a network of its own. */
  readonly nodeNetwork?: NodeNetwork;
  /**
   * The zones of the network that the stack creates, by their ids (`use1-az1`), or `byName`, the first two by name, for a network that was deployed so. Absent: if the API is a container, two in which API Gateway has VPC links; a region that AWS'
   * list of them does not name needs this knob. Otherwise any two. It must stay as it is: CloudFormation would have to create each subnet anew beside the old one, which has its addresses.
   */
  readonly zoneIds?: readonly [string, string] | 'byName';
  readonly runtime: NodeRuntime;
  /** Memory of each function. Lambda gives processor time in proportion to it. */
  readonly memoryMb: Readonly<Record<FunctionName, number>>;
  /** The account's quota of concurrent executions in this region, of which AWS gives 10 to a new account. Absent: not known, so the stack reserves none and assumes 10. */
  readonly accountConcurrency?: number;
  /** The watches that `api` answers at the same time. Absent: as many as leave room for everything else (see planConcurrency). */
  readonly maxWatches?: number;
  /** Reserved concurrency, which is also the function's upper bound. Functions that are not named get what planConcurrency plans. */
  readonly reservedConcurrency: Readonly<Partial<Record<FunctionName, number>>>;
  /** The number of batches of keys that are synced at the same time. Absent: 50, or as many as the account has executions for (see planConcurrency). */
  readonly syncMaxConcurrency?: number;
  /**
   * How long `api` holds a watch: of a client that resumes, which says so by `timeoutSeconds`, and of any other, such as `kubectl get -w`. Lambda does not tell a function
   * that its client has gone, so an abandoned watch is billed for all of this time. The container notices; its default is a minute less than API Gateway holds an answer.
   */
  readonly watchSeconds: { readonly resumed: number; readonly unresumed: number };
  /** How long API Gateway caches the authorizer's answer; 0 asks STS for every request. An identity that was removed from `identities` keeps access for this long. */
  readonly authorizerCacheSeconds: number;
  /** Whether `authorize` and `api` are invoked every five minutes, so that the first request after a pause finds them warm: about $0.02 a month. Only if the API is a function. */
  readonly keepWarm: boolean;
  /**
   * Who reaches API Gateway: everybody (`regional`), or a network alone (`private`), by an interface endpoint of `execute-api`. Without `vpcEndpointId` the stack creates one in its network, `nodeNetwork` or that of the container or the `workerGroup`:
   * $14.60 a month in two zones, and $0.01 a GB.
   */
  readonly endpoint: 'regional' | 'private';
  /** The interface endpoint of `execute-api` through which alone a private API answers. Absent: the stack creates one. */
  readonly vpcEndpointId?: string;
  /** The subnets of `nodeNetwork` in which that new endpoint is, one in each zone: AWS takes no second one. `npm run preflight` names them where several are in a zone. Absent: all. */
  readonly endpointSubnetIds?: readonly string[];
  /** A name of one's own for a regional API. */
  readonly domain?: Domain;
  /** A web ACL of AWS WAF before the API: $5 a month, $1 for each of its rules, of which `managedRules` are three, and $0.60 for a million requests. Absent: none. */
  readonly firewall?: Firewall;
  /** Requests per second, and the burst above that, before API Gateway answers with 429. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  readonly logRetentionDays: (typeof LOG_RETENTION_DAYS)[number];
  /**
   * Kubernetes' audit events, in a log group of their own: `metadata`, who has asked for what, and the answer's code; or the path of a policy file (`audit.k8s.io/v1` Policy), which may ask for the objects as well.
   * CloudWatch bills what is written, $0.50 a GB in us-east-1: a million requests at `metadata` are about 0.8 GB. A function that is in a network must reach CloudWatch Logs from there, by NAT or by an interface endpoint.
   */
  readonly audit: false | 'metadata' | (string & {});
  /** How long the audit log is kept. */
  readonly auditLogRetentionDays: (typeof LOG_RETENTION_DAYS)[number];
  readonly logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** One log line per request, written by API Gateway. Without them, no alarm goes off when the `api` function is throttled or cannot be invoked. Needs `apiGatewayAccount`, or an account that already has the role. */
  readonly accessLogs: boolean;
  /** Whether the account gets a role for API Gateway's logs, which all APIs of the region share: if it has none, in any case (which replaces the one that it has), or never. It stays when the stack is deleted. */
  readonly apiGatewayAccount: 'ifNone' | boolean;
  /**
   * `true`: Lambda and API Gateway record their own work in X-Ray, each invocation apart. `{ sampleRate }`: so large a share of the writes is followed through stream, queue and syncs to the last write that they cause, each in one
   * trace of X-Ray; from 0 (only what administrators ask for by `traceparent`) to 1. AWS bills $5 for a million traces and none of the first 100,000 of a month. A function that is in a network must reach X-Ray from there.
   */
  readonly tracing: boolean | { readonly sampleRate: number };
  /** Whether tables and queues are deleted with the stack. */
  readonly removalPolicy: 'retain' | 'destroy';
  /** Makes CloudFormation refuse to delete the stack until a deployment has switched this off. Default: true if the tables would be deleted with it, so that this takes two steps. */
  readonly terminationProtection: boolean;
  /** Makes DynamoDB refuse every deletion of a table. Default: true if tables are retained. */
  readonly deletionProtection: boolean;
  /** For how many days back the objects can be restored as they were at any second; 0 switches this off. Nothing else is needed for a restore. */
  readonly pointInTimeRecoveryDays: number;
  /**
   * Tables that were restored from backups, which the stack uses instead of creating its own; those that are not named are created empty. Only `objects` must be restored. Its stream must be enabled, with new
   * and old images. The deployment makes the tables fit each other, whatever their ages.
   */
  readonly restoredTables: Readonly<Partial<Record<TableName, RestoredTable>>>;
  /**
   * What DynamoDB prepares a table for, before there is such traffic. A new table takes 4,000 write units and 12,000 read units a second, and grows by itself, but over minutes, while it throttles. The
   * units above those are charged once, can be raised later, and are never lowered. README.md says how many a thousand pods a second need.
   */
  readonly warmThroughput: Readonly<Partial<Record<TableName, WarmThroughput>>>;
  /** The key that encrypts the tables: DynamoDB's own, or the account's `aws/dynamodb`, each use of which is billed and logged by CloudTrail. `encryptionKey` takes its place. */
  readonly tableEncryption: 'awsOwned' | 'awsManaged';
  /**
   * A key of the account's own in KMS for everything that is stored: tables, queues, logs, the environment of functions, the topic of alarms and the vault of backups. `create`: the stack creates it, with a new version every year, $1 a month for each of the first three
   * versions, and $0.03 for 10,000 uses. The ARN of a key: its policy must allow what ADR 50 lists, and for a running stack admit its roles as `createEncryptionKey.ts` does. If that key is gone, so is all that it has encrypted. Absent: keys of AWS.
   */
  readonly encryptionKey?: 'create' | (string & {});
  /** Backups of the objects' table every day, and a copy of each in another account or region. AWS bills what is stored, $0.10 a GB a month, and what is copied to another region. Needs `encryptionKey`. Absent: none. */
  readonly backupCopies?: BackupCopies;
  /**
   * `true`: the alarms whose ten metrics are free. `'all'`: also those on throttled tables and functions, the account's concurrency, the oldest key, slow writes and refused requests, and those on the burn rates of the
   * service levels; groups of alarms tell, so that one cause is one call. At list prices that is $5.90 a month, and $1.80 in a month with requests of each kind.
   */
  readonly alarms: boolean | 'all';
  /** Who is told of every alarm, and of the budget. AWS asks this address once whether it wants the mails. */
  readonly alarmEmail?: string;
  /** The SNS topic that is told of every alarm, and of the budget. Its policy must let `cloudwatch.amazonaws.com` and `budgets.amazonaws.com` publish. */
  readonly alarmTopicArn?: string;
  /** Dollars. Above them, or if the month is going to end above them, the same people are told. Only the stack's resources count, by the tag `aws:cloudformation:stack-name`, which must be activated in the account's billing. Absent: none. */
  readonly monthlyBudget?: number;
  readonly dashboard: boolean;
  /**
   * Whether a deployment ends with a test: a Deployment is created, rolled and deleted through API Gateway, in the namespace `driftless-smoke-test`, and if that fails, CloudFormation rolls the deployment back. It costs nothing between deployments, and less
   * than a cent at one. Without simulated nodes, or with a controller switched off that pods need, it does not wait for pods.
   */
  readonly smokeTest: boolean;
  /**
   * How a new release of the functions takes over. `allAtOnce`: with the deployment. The others have CodeDeploy pass a tenth of the invocations to it first, and the rest after 15 or 30 minutes, or a tenth more every three minutes; an alarm meanwhile takes
   * all back and rolls the deployment back, which takes that long. Each function is then invoked by its alias `live`. CodeDeploy costs nothing for functions. A container is not part of it: ECS replaces its tasks.
   */
  readonly traffic: (typeof TRAFFIC)[number];
}

/** All but the first are named as CodeDeploy names them. It has shorter ones, but an alarm of this stack needs up to ten minutes. */
export const TRAFFIC = [
  'allAtOnce',
  'canary10Percent15Minutes',
  'canary10Percent30Minutes',
  'linear10PercentEvery3Minutes',
] as const;

/** A network that exists. What the API calls besides kubelets must be reachable from it: DynamoDB, by a gateway endpoint (free) or NAT, and webhooks. If it reaches SQS, too, what users ask for begins 0.2 s sooner. A function gets no public address; a container gets one, and needs it, or NAT, for its image and its log. */
export interface NodeNetwork {
  readonly vpcId: string;
  /** At least two, in different zones. */
  readonly subnetIds: readonly string[];
  /** The security group of the nodes: the API gets access to the port of their kubelets. */
  readonly securityGroupId: string;
}

/** A regional custom domain of API Gateway, for TLS 1.2 and later. */
export interface Domain {
  /** `k8s.example.com` */
  readonly name: string;
  /** A certificate of ACM for that name, in the stack's region. With `mutualTls`, one that ACM has issued itself: for another one API Gateway also wants a proof that the name is yours. */
  readonly certificateArn: string;
  /** The hosted zone of Route 53 that gets a record of the name. Absent: you make the name an alias of the output `DomainTarget`. */
  readonly hostedZoneId?: string;
  /** Admits only clients with a certificate of these authorities: the kubeconfig takes it from `~/.kube/CLUSTER_ID.crt`, and its key from `.key`. The API has no other address then, apart from a `directAddress`. */
  readonly mutualTls?: MutualTls;
}

export interface MutualTls {
  /** The certificates of the authorities in one file of PEM: `s3://BUCKET/truststore.pem`. */
  readonly truststoreUri: string;
  /** The version of that object in its bucket. API Gateway reads another one only when this changes. */
  readonly version: string;
}

export interface Firewall {
  /** Rules of AWS against what scanners and worms send, but for those that an API of Kubernetes cannot bear: ADR 50 lists them. */
  readonly managedRules: boolean;
  /** From one address. Whoever sends more gets 429 until it is less. Absent: only `throttling` applies, to all together. */
  readonly requestsPerFiveMinutes?: number;
}

export interface BackupCopies {
  /** A vault of AWS Backup in another account or region, whose policy lets this account copy into it. */
  readonly vaultArn: string;
  /** When the backup of a day begins, in UTC. */
  readonly hour: number;
  /** How long the copies are kept. */
  readonly retentionDays: number;
  /** How long the backups from which they are made are kept, in a vault of the stack. */
  readonly localRetentionDays: number;
}

export const DEFAULT_BACKUP_COPIES: Omit<BackupCopies, 'vaultArn'> = {
  hour: 3,
  retentionDays: 35,
  localRetentionDays: 7,
};

/** Instances of EC2 with Amazon Linux 2023. */
export interface WorkerGroup {
  /** The version whose kubelet is installed: `1.34`. */
  readonly kubernetesVersion: string;
  /** With ARM or x86 processors. */
  readonly instanceType: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly diskGb: number;
  /** Lets people in by Session Manager of AWS Systems Manager, for `crictl exec`: adds the managed policy that its agent needs. */
  readonly sessionManager: boolean;
}

export const DEFAULT_WORKER_GROUP: WorkerGroup = {
  kubernetesVersion: '1.34',
  instanceType: 't4g.small',
  minSize: 1,
  maxSize: 3,
  diskGb: 20,
  sessionManager: false,
};

export interface RestoredTable {
  readonly name: string;
  /** Only for `objects`, and required there. */
  readonly streamArn?: string;
}

/** The retention periods that CloudWatch Logs offers, up to ten years. */
export const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/**
 * Memory follows each function's work: `api` encodes lists of thousands of objects and `sync` reads them; the others only pass data on. Logs are kept for 30
 * days, since operators look things up weeks later.
 */
export const DEFAULT_STACK_PROPS: DriftlessStackProps = {
  identities: [],
  config: {},
  api: 'function',
  nodes: 3,
  nodesJoin: false,
  runtime: DEFAULT_RUNTIME,
  memoryMb: { api: 512, authorize: 256, record: 512, enqueue: 512, sync: 1024, resync: 512 },
  reservedConcurrency: {},
  watchSeconds: FUNCTION_WATCH_SECONDS,
  authorizerCacheSeconds: FUNCTIONS.authorize.trigger.cacheMs / 1000,
  keepWarm: true,
  endpoint: 'regional',
  throttling: { rateLimit: 500, burstLimit: 1000 },
  logRetentionDays: 30,
  audit: false,
  auditLogRetentionDays: 365,
  logLevel: 'INFO',
  accessLogs: true,
  apiGatewayAccount: 'ifNone',
  tracing: false,
  removalPolicy: 'retain',
  terminationProtection: false,
  deletionProtection: true,
  pointInTimeRecoveryDays: 35,
  restoredTables: {},
  warmThroughput: {},
  tableEncryption: 'awsOwned',
  alarms: true,
  dashboard: true,
  smokeTest: true,
  traffic: 'allAtOnce',
};
