import { APIGatewayClient, GetAccountCommand, paginateGetRestApis } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeAvailabilityZonesCommand,
  DescribeInstanceTypesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  EC2Client,
  type Filter,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { GetAccountSettingsCommand, LambdaClient, ListLayersCommand, type Runtime } from '@aws-sdk/client-lambda';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import {
  type AccountConcurrency,
  type AccountReads,
  type ApiGatewayAccount,
  type ExistingStack,
  type ExistingSubnet,
  type ExistingTable,
  type Quota,
  ReadError,
  type TemplateResources,
  type Zone,
} from './AccountReads.ts';
import type { AwsSettings } from './AwsSettings.ts';
import { read, readUnless } from './askAws.ts';

/** The largest page of API Gateway. */
const APIS_PER_PAGE = 500;

/** Asks AWS. Every command here reads: a test looks at their names. */
export class AwsAccountReads implements AccountReads {
  readonly #region: string;
  readonly #apiGateway: APIGatewayClient;
  readonly #cloudFormation: CloudFormationClient;
  readonly #cloudWatch: CloudWatchClient;
  readonly #dynamoDb: DynamoDBClient;
  readonly #ec2: EC2Client;
  readonly #lambda: LambdaClient;
  readonly #quotas: ServiceQuotasClient;
  readonly #ssm: SSMClient;
  /** What several checks ask for. */
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(settings: AwsSettings & { readonly region: string }) {
    this.#region = settings.region;
    this.#apiGateway = new APIGatewayClient(settings);
    this.#cloudFormation = new CloudFormationClient(settings);
    this.#cloudWatch = new CloudWatchClient(settings);
    this.#dynamoDb = new DynamoDBClient(settings);
    this.#ec2 = new EC2Client(settings);
    this.#lambda = new LambdaClient(settings);
    this.#quotas = new ServiceQuotasClient(settings);
    this.#ssm = new SSMClient(settings);
  }

  #once<T>(what: string, ask: () => Promise<T>): Promise<T> {
    const asked = (this.#asked.get(what) as Promise<T> | undefined) ?? ask();
    this.#asked.set(what, asked);
    return asked;
  }

  async concurrency(): Promise<AccountConcurrency> {
    const { AccountLimit } = await read('lambda:GetAccountSettings', () =>
      this.#lambda.send(new GetAccountSettingsCommand({})),
    );
    const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit ?? {};
    return { limit, unreserved };
  }

  /** Lambda has no list of its runtimes, but it refuses a filter by a runtime that it does not know: https://docs.aws.amazon.com/lambda/latest/api/API_ListLayers.html */
  async knowsRuntime(runtime: string): Promise<boolean> {
    const input = { CompatibleRuntime: runtime as Runtime, MaxItems: 1 };
    const send = () => this.#lambda.send(new ListLayersCommand(input));
    const refusals = ['InvalidParameterValueException', 'ValidationException'];
    return (await readUnless(refusals, 'lambda:ListLayers', send)) !== undefined;
  }

  async parameter(name: string): Promise<string | undefined> {
    const send = () => this.#ssm.send(new GetParameterCommand({ Name: name }));
    return (await readUnless(['ParameterNotFound'], 'ssm:GetParameter', send))?.Parameter?.Value;
  }

  /** CloudFormation calls a stack that does not exist a ValidationError: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html */
  async stack(stackName: string): Promise<ExistingStack | undefined> {
    const send = () => this.#cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = (await readUnless(['ValidationError'], 'cloudformation:DescribeStacks', send))?.Stacks ?? [];
    return stack && { status: stack.StackStatus ?? '', description: stack.Description ?? '' };
  }

  deployedResources(stackName: string): Promise<TemplateResources> {
    return this.#once(`template of ${stackName}`, () => this.#deployedResources(stackName));
  }

  async #deployedResources(stackName: string): Promise<TemplateResources> {
    const send = () => this.#cloudFormation.send(new GetTemplateCommand({ StackName: stackName }));
    const action = 'cloudformation:GetTemplate';
    return parseResources(action, (await readUnless(['ValidationError'], action, send))?.TemplateBody ?? '{}');
  }

  apiGateway(): Promise<ApiGatewayAccount> {
    return this.#once('API Gateway', () => this.#apiGatewayAccount());
  }

  async #apiGatewayAccount(): Promise<ApiGatewayAccount> {
    const account = await read('apigateway:GET of /account', () => this.#apiGateway.send(new GetAccountCommand({})));
    const { rateLimit, burstLimit } = account.throttleSettings ?? {};
    return {
      logRoleArn: account.cloudwatchRoleArn,
      throttle: rateLimit === undefined || burstLimit === undefined ? undefined : { rateLimit, burstLimit },
    };
  }

  async restApisNamed(name: string): Promise<number> {
    return read('apigateway:GET of /restapis', async () => {
      let count = 0;
      for await (const { items = [] } of paginateGetRestApis({ client: this.#apiGateway }, { limit: APIS_PER_PAGE })) {
        count += items.filter((api) => api.name === name).length;
      }
      return count;
    });
  }

  async compositeAlarmsNamed(names: readonly string[]): Promise<readonly string[]> {
    const input = new DescribeAlarmsCommand({ AlarmNames: [...names], AlarmTypes: ['CompositeAlarm'] });
    const { CompositeAlarms = [] } = await read('cloudwatch:DescribeAlarms', () => this.#cloudWatch.send(input));
    return CompositeAlarms.map(({ AlarmName = '' }) => AlarmName);
  }

  async zones(): Promise<readonly Zone[]> {
    const input = new DescribeAvailabilityZonesCommand({ Filters: [filter('zone-type', 'availability-zone')] });
    const { AvailabilityZones = [] } = await read('ec2:DescribeAvailabilityZones', () => this.#ec2.send(input));
    return AvailabilityZones.filter(({ State }) => State === 'available').map(({ ZoneName = '', ZoneId = '' }) => ({
      name: ZoneName,
      id: ZoneId,
    }));
  }

  async defaultSubnetZones(): Promise<readonly string[]> {
    const found = await this.#subnetsBy(filter('default-for-az', 'true'));
    return found.map(({ AvailabilityZone = '' }) => AvailabilityZone);
  }

  async subnets(ids: readonly string[]): Promise<readonly ExistingSubnet[]> {
    const found = await this.#subnetsBy(filter('subnet-id', ...ids));
    return found.map((subnet) => ({
      id: subnet.SubnetId ?? '',
      vpcId: subnet.VpcId ?? '',
      zone: { name: subnet.AvailabilityZone ?? '', id: subnet.AvailabilityZoneId ?? '' },
      freeAddresses: subnet.AvailableIpAddressCount ?? 0,
    }));
  }

  async #subnetsBy(condition: Filter): Promise<readonly Subnet[]> {
    const input = new DescribeSubnetsCommand({ Filters: [condition] });
    return (await read('ec2:DescribeSubnets', () => this.#ec2.send(input))).Subnets ?? [];
  }

  async securityGroupVpc(id: string): Promise<string | undefined> {
    const input = new DescribeSecurityGroupsCommand({ Filters: [filter('group-id', id)] });
    return (await read('ec2:DescribeSecurityGroups', () => this.#ec2.send(input))).SecurityGroups?.[0]?.VpcId;
  }

  async hasDynamoDbEndpoint(vpcId: string): Promise<boolean> {
    const service = filter('service-name', `com.amazonaws.${this.#region}.dynamodb`);
    const input = new DescribeVpcEndpointsCommand({ Filters: [filter('vpc-id', vpcId), service] });
    const { VpcEndpoints = [] } = await read('ec2:DescribeVpcEndpoints', () => this.#ec2.send(input));
    return VpcEndpoints.length > 0;
  }

  async vpcCount(): Promise<number> {
    return (await read('ec2:DescribeVpcs', () => this.#ec2.send(new DescribeVpcsCommand({})))).Vpcs?.length ?? 0;
  }

  async vcpusOf(instanceType: string): Promise<number | undefined> {
    const input = new DescribeInstanceTypesCommand({ Filters: [filter('instance-type', instanceType)] });
    const { InstanceTypes } = await read('ec2:DescribeInstanceTypes', () => this.#ec2.send(input));
    return InstanceTypes?.[0]?.VCpuInfo?.DefaultVCpus;
  }

  /** The account's own value, or AWS' default if there is none: https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetServiceQuota.html */
  async quota({ service, code }: Quota): Promise<number> {
    const input = { ServiceCode: service, QuotaCode: code };
    const own = () => this.#quotas.send(new GetServiceQuotaCommand(input));
    const usual = () => this.#quotas.send(new GetAWSDefaultServiceQuotaCommand(input));
    const found =
      (await readUnless(['NoSuchResourceException'], 'servicequotas:GetServiceQuota', own)) ??
      (await read('servicequotas:GetAWSDefaultServiceQuota', usual));
    return found.Quota?.Value ?? Number.POSITIVE_INFINITY;
  }

  async table(name: string): Promise<ExistingTable | undefined> {
    const send = () => this.#dynamoDb.send(new DescribeTableCommand({ TableName: name }));
    const table = (await readUnless(['ResourceNotFoundException'], 'dynamodb:DescribeTable', send))?.Table;
    if (!table) return undefined;
    const { LatestStreamArn: arn, StreamSpecification: { StreamEnabled = false, StreamViewType = '' } = {} } = table;
    const stream = StreamEnabled && arn !== undefined ? { arn, viewType: StreamViewType } : undefined;
    return { status: table.TableStatus ?? '', stream };
  }
}

function filter(name: string, ...values: readonly string[]): Filter {
  return { Name: name, Values: [...values] };
}

/** The CDK uploads its templates as JSON. Somebody may have deployed the stack otherwise. */
function parseResources(action: string, template: string): TemplateResources {
  try {
    return (JSON.parse(template) as { readonly Resources?: TemplateResources }).Resources ?? {};
  } catch (error) {
    throw new ReadError(action, 'failed', { message: 'a template that is not JSON', cause: error });
  }
}
