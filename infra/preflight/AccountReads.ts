/** Which calls have no answer, and why. */
export type ReadFailure = 'denied' | 'noService' | 'failed';

/** A read without an answer. It concerns one check: the others go on. */
export class ReadError extends Error {
  /** The IAM action of the call: `ssm:GetParameter`. */
  readonly action: string;
  readonly failure: ReadFailure;

  constructor(action: string, failure: ReadFailure, options: ErrorOptions & { readonly message: string }) {
    super(options.message, options);
    this.name = 'ReadError';
    this.action = action;
    this.failure = failure;
  }
}

/**
 * What a deployment depends on in an account and region. Each method makes read-only calls alone. It returns `undefined`, or leaves out, what does not exist, and
 * throws a ReadError if AWS denies a call or does not answer it.
 */
export interface AccountReads {
  concurrency(): Promise<AccountConcurrency>;
  /** Whether Lambda knows this runtime in the region. */
  knowsRuntime(runtime: string): Promise<boolean>;
  /** The value of a parameter of Systems Manager. */
  parameter(name: string): Promise<string | undefined>;
  stack(stackName: string): Promise<ExistingStack | undefined>;
  /** The resources of the template that the stack was deployed with last. */
  deployedResources(stackName: string): Promise<TemplateResources>;
  apiGateway(): Promise<ApiGatewayAccount>;
  /** How many REST APIs of the region have this name. */
  restApisNamed(name: string): Promise<number>;
  /** Which of these are names of composite alarms. */
  compositeAlarmsNamed(names: readonly string[]): Promise<readonly string[]>;
  /** The availability zones of the region that the account can use, without local zones. */
  zones(): Promise<readonly Zone[]>;
  /** The names of the zones that have a default subnet. */
  defaultSubnetZones(): Promise<readonly string[]>;
  subnets(ids: readonly string[]): Promise<readonly ExistingSubnet[]>;
  /** The network of a security group. */
  securityGroupVpc(id: string): Promise<string | undefined>;
  /** Whether a network has a gateway endpoint of DynamoDB. */
  hasDynamoDbEndpoint(vpcId: string): Promise<boolean>;
  vpcCount(): Promise<number>;
  /** How many processors an instance type has. */
  vcpusOf(instanceType: string): Promise<number | undefined>;
  quota(quota: Quota): Promise<number>;
  table(name: string): Promise<ExistingTable | undefined>;
}

export interface AccountConcurrency {
  /** The quota of concurrent executions. */
  readonly limit: number;
  /** What is not reserved by functions, of this stack or of others. */
  readonly unreserved: number;
}

export interface ExistingStack {
  /** CloudFormation's, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly description: string;
}

export type TemplateResources = Readonly<Record<string, TemplateResource>>;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface ApiGatewayAccount {
  /** The role by which API Gateway writes logs. The region's APIs share it. */
  readonly logRoleArn?: string | undefined;
  /** Requests per second, and the burst above that, of all APIs of the region together. */
  readonly throttle?: { readonly rateLimit: number; readonly burstLimit: number } | undefined;
}

export interface Zone {
  /** The account's own name for it: `us-east-1a`. */
  readonly name: string;
  /** The same in all accounts: `use1-az3`. */
  readonly id: string;
}

export interface ExistingSubnet {
  readonly id: string;
  readonly vpcId: string;
  readonly zone: Zone;
  readonly freeAddresses: number;
}

export interface ExistingTable {
  /** DynamoDB's, such as `ACTIVE`. */
  readonly status: string;
  /** Absent if the table has no stream that is enabled. */
  readonly stream?: { readonly arn: string; readonly viewType: string } | undefined;
}

/** A quota as Service Quotas names it. */
export interface Quota {
  readonly service: string;
  readonly code: string;
}
