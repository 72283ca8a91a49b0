import type { IdentityMapping } from '../../lambdas/functions/authorize/mapCaller.ts';
import { FUNCTIONS, type FunctionName } from '../topology.ts';

/** Every knob of the stack, with its value. What a person writes is any part of it (see parseStackProps). */
export interface DriftlessStackProps {
  /**
   * What tokens are signed for (`aws eks get-token --cluster-name`); must differ between control planes, or a token for one opens the other. Absent: made of
   * the stack's name, its region and its account.
   */
  readonly clusterId?: string;
  /** Who is let in, and as whom. Nobody else is. */
  readonly identities: readonly IdentityMapping[];
  /** What `parseConfig` of lambdas/functions/parseConfig.ts takes: controllers on or off, API versions served, resync period. */
  readonly config: Readonly<Record<string, unknown>>;
  /** How many simulated nodes pods are placed on. */
  readonly nodes: number;
  readonly runtime: 'nodejs22.x' | 'nodejs24.x';
  /** Memory of each function, which is also its share of a processor. */
  readonly memoryMb: Readonly<Record<FunctionName, number>>;
  /** Concurrency set aside for a function, and its upper bound. A function not named shares the account's. */
  readonly reservedConcurrency: Readonly<Partial<Record<FunctionName, number>>>;
  /** How many batches of keys are worked on at a time. */
  readonly syncMaxConcurrency: number;
  /** How long an answer of the authorizer is good for; 0 asks STS at every request. Who is removed from `identities` stays in for so long. */
  readonly authorizerCacheSeconds: number;
  /** Requests a second, and how many more at once, before API Gateway answers 429. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  readonly logRetentionDays: (typeof LOG_RETENTION_DAYS)[number];
  readonly logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** One log line a request, from API Gateway. Needs `apiGatewayAccount`, or an account that has the role already. */
  readonly accessLogs: boolean;
  /** Sets the account's role by which API Gateway writes logs, one for all APIs of the region; it stays when the stack goes. */
  readonly apiGatewayAccount: boolean;
  /** X-Ray traces, which cost by the trace. */
  readonly tracing: boolean;
  /** What becomes of tables and queues when the stack is deleted. */
  readonly removalPolicy: 'retain' | 'destroy';
  /** Refuses to delete a table, whoever asks. Absent: as long as tables are retained. */
  readonly deletionProtection: boolean;
  /** How far back the objects can be restored to any second; 0 switches it off. */
  readonly pointInTimeRecoveryDays: number;
  /** Whose key encrypts the tables: DynamoDB's own, or the account's `aws/dynamodb`, whose every use is in CloudTrail and on the bill. */
  readonly tableEncryption: 'awsOwned' | 'awsManaged';
  readonly alarms: boolean;
  /** An SNS topic that hears of every alarm. */
  readonly alarmTopicArn?: string;
  readonly dashboard: boolean;
}

/** What CloudWatch Logs offers, up to ten years. */
export const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/**
 * Memory is chosen by what each does: `api` encodes lists of thousands, `sync` reads them; the others pass things on. Retention: what a person would want to
 * look up a month later.
 */
export const DEFAULT_STACK_PROPS: DriftlessStackProps = {
  identities: [],
  config: {},
  nodes: 3,
  runtime: 'nodejs22.x',
  memoryMb: { api: 512, authorize: 256, record: 512, enqueue: 512, sync: 1024, resync: 512 },
  reservedConcurrency: {},
  syncMaxConcurrency: FUNCTIONS.sync.trigger.maxConcurrency,
  authorizerCacheSeconds: FUNCTIONS.authorize.trigger.cacheMs / 1000,
  throttling: { rateLimit: 500, burstLimit: 1000 },
  logRetentionDays: 30,
  logLevel: 'INFO',
  accessLogs: true,
  apiGatewayAccount: true,
  tracing: false,
  removalPolicy: 'retain',
  deletionProtection: true,
  pointInTimeRecoveryDays: 35,
  tableEncryption: 'awsOwned',
  alarms: true,
  dashboard: true,
};
