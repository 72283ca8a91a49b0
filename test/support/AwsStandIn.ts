import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the stand-in's account has. The answers have the shapes of AWS' API references. */
export interface StandInAccount {
  readonly concurrency: { readonly limit: number; readonly unreserved: number };
  readonly runtimes: readonly string[];
  readonly bootstrapVersion: string | undefined;
  readonly stack: { readonly status: string; readonly description: string; readonly template: object } | undefined;
  readonly logRoleArn: string | undefined;
  readonly restApis: readonly string[];
  readonly compositeAlarms: readonly string[];
  /** Name and id of each zone, of which all have a default subnet. */
  readonly zones: readonly (readonly [name: string, id: string])[];
  readonly vpcs: number;
  /** One network whose subnets, one in each zone, and security group are known by these ids. Absent: none. */
  readonly network:
    | { readonly vpcId: string; readonly subnetIds: readonly string[]; readonly groupId: string }
    | undefined;
  /** Instance types with their processors. */
  readonly instanceTypes: Readonly<Record<string, number>>;
  /** Tables with the ARN of their stream, which has both images. */
  readonly tables: Readonly<Record<string, string>>;
  readonly quotas: Readonly<Record<string, number>>;
  /** The calls that AWS denies: `lambda:ListLayers`. */
  readonly denied: readonly string[];
}

/** An account without a stack in which everything is as the stack needs it. */
export const READY_ACCOUNT: StandInAccount = {
  concurrency: { limit: 1000, unreserved: 1000 },
  runtimes: ['nodejs24.x', 'nodejs22.x'],
  bootstrapVersion: '27',
  stack: undefined,
  logRoleArn: undefined,
  restApis: [],
  compositeAlarms: [],
  zones: [
    ['us-east-1a', 'use1-az1'],
    ['us-east-1b', 'use1-az2'],
    ['us-east-1c', 'use1-az3'],
  ],
  vpcs: 1,
  network: undefined,
  instanceTypes: { 't4g.small': 2 },
  tables: {},
  quotas: { 'L-F678F1CE': 5, 'L-1216C47A': 32, 'L-AB614373': 40_000, 'L-CF0CBE56': 40_000 },
  denied: [],
};

/** Stands in for the services that are asked, each in its own protocol, on loopback. By itself it answers what the preflight asks, and nothing that writes. */
export class AwsStandIn {
  readonly endpoint: string;
  /** The calls in their order, by service and operation: `sts:GetCallerIdentity`. */
  readonly calls: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#server = server;
  }

  /** `others`: the answers to further calls, or other answers, by the calls' names. */
  static async open(
    changes: Partial<StandInAccount> = {},
    others: Readonly<Record<string, Answer>> = {},
  ): Promise<AwsStandIn> {
    const account = { ...READY_ACCOUNT, ...changes };
    const server = createServer((request, response) => {
      void serve(request, response);
    });
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      const call = await receive(request);
      opened.calls.push(call.name);
      answer(call, account, others[call.name] ?? ANSWERS[call.name], response);
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const opened = new AwsStandIn(server);
    return opened;
  }

  /** The variables that send the SDK here. */
  get environment(): Readonly<Record<string, string>> {
    return {
      AWS_ENDPOINT_URL: this.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Protocol = 'json' | 'rest' | 'query' | 'ec2';

interface Call {
  /** `ssm:GetParameter`. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The operations of the services that speak REST, by method and path. */
const REST: Readonly<Record<string, string>> = {
  'GET /2016-08-19/account-settings': 'GetAccountSettings',
  'GET /2018-10-31/layers': 'ListLayers',
  'GET /account': 'GetAccount',
  'GET /restapis': 'GetRestApis',
};

async function receive(request: IncomingMessage): Promise<Call> {
  // The signature names the service, as in `Credential=KEY/20260101/us-east-1/ssm/aws4_request`.
  const service = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const body = await text(request);
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') {
    const operation = target.slice(target.lastIndexOf('.') + 1);
    return { name: `${service}:${operation}`, protocol: 'json', input: JSON.parse(body) as Call['input'] };
  }
  if (body.includes('Action=')) {
    const input = Object.fromEntries(new URLSearchParams(body));
    return { name: `${service}:${input['Action']}`, protocol: service === 'ec2' ? 'ec2' : 'query', input };
  }
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const operation = REST[`${request.method} ${pathname.replace(/\/$/, '')}`] ?? `${request.method} ${pathname}`;
  return { name: `${service}:${operation}`, protocol: 'rest', input: Object.fromEntries(searchParams) };
}

function answer(call: Call, account: StandInAccount, find: Answer | undefined, response: ServerResponse): void {
  if (account.denied.includes(call.name)) return fail(response, call, 403, DENIED[call.protocol]);
  const found = find?.(account, call.input);
  if (found === undefined) return fail(response, call, 400, 'UnknownOperationException');
  if (found instanceof Refusal) return fail(response, call, 400, found.code);
  const isText = typeof found === 'string';
  response.writeHead(200, { 'content-type': isText ? 'text/xml' : 'application/json' });
  response.end(isText ? found : JSON.stringify(found));
}

const DENIED: Readonly<Record<Protocol, string>> = {
  json: 'AccessDeniedException',
  rest: 'AccessDeniedException',
  query: 'AccessDenied',
  ec2: 'UnauthorizedOperation',
};

function fail(response: ServerResponse, { protocol }: Call, status: number, code: string): void {
  const message = 'as the test wants it';
  const xml = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  switch (protocol) {
    case 'json':
      response.writeHead(400).end(JSON.stringify({ __type: code, message }));
      break;
    case 'rest':
      response.writeHead(status, { 'x-amzn-errortype': code }).end(JSON.stringify({ message }));
      break;
    case 'query':
      response.writeHead(status).end(`<ErrorResponse>${xml}<RequestId>r</RequestId></ErrorResponse>`);
      break;
    case 'ec2':
      response.writeHead(status).end(`<Response><Errors>${xml}</Errors><RequestID>r</RequestID></Response>`);
      break;
  }
}

/** An error that the service answers. */
export class Refusal {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** JSON as an object, XML as text. */
export type Answer = (account: StandInAccount, input: Call['input']) => object | string;

const ANSWERS: Readonly<Record<string, Answer>> = {
  'sts:GetCallerIdentity': () =>
    xmlResult(
      'GetCallerIdentity',
      '<Arn>arn:aws:sts::111122223333:assumed-role/Deployer/ann</Arn><UserId>AROA:ann</UserId><Account>111122223333</Account>',
    ),
  'lambda:GetAccountSettings': ({ concurrency: { limit, unreserved } }) => ({
    AccountLimit: { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved },
    AccountUsage: { FunctionCount: 0, TotalCodeSize: 0 },
  }),
  'lambda:ListLayers': ({ runtimes }, input) =>
    runtimes.includes(String(input['CompatibleRuntime']))
      ? { Layers: [] }
      : new Refusal('InvalidParameterValueException'),
  'ssm:GetParameter': ({ bootstrapVersion }, { Name }) =>
    bootstrapVersion === undefined
      ? new Refusal('ParameterNotFound')
      : { Parameter: { Name, Type: 'String', Value: bootstrapVersion, Version: 1 } },
  'servicequotas:GetServiceQuota': ({ quotas }, { QuotaCode }) => {
    const value = quotas[String(QuotaCode)];
    return value === undefined ? new Refusal('NoSuchResourceException') : { Quota: { QuotaCode, Value: value } };
  },
  'servicequotas:GetAWSDefaultServiceQuota': (_account, { QuotaCode }) => ({ Quota: { QuotaCode, Value: 5 } }),
  'monitoring:DescribeAlarms': ({ compositeAlarms }, { AlarmNames }) => ({
    CompositeAlarms: compositeAlarms
      .filter((name) => (AlarmNames as readonly string[]).includes(name))
      .map((name) => ({ AlarmName: name })),
  }),
  'apigateway:GetAccount': ({ logRoleArn }) => ({
    apiKeyVersion: '4',
    throttleSettings: { burstLimit: 5000, rateLimit: 10_000 },
    ...(logRoleArn !== undefined && { cloudwatchRoleArn: logRoleArn }),
  }),
  'apigateway:GetRestApis': ({ restApis }) => ({ item: restApis.map((name, at) => ({ id: `api${at}`, name })) }),
  'cloudformation:DescribeStacks': ({ stack }, { StackName }) =>
    stack
      ? xmlResult(
          'DescribeStacks',
          `<Stacks><member><StackName>${String(StackName)}</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><Description>${stack.description}</Description><StackStatus>${stack.status}</StackStatus></member></Stacks>`,
        )
      : new Refusal('ValidationError'),
  'cloudformation:GetTemplate': ({ stack }) =>
    stack
      ? xmlResult('GetTemplate', `<TemplateBody>${escapeXml(JSON.stringify(stack.template))}</TemplateBody>`)
      : new Refusal('ValidationError'),
  'ec2:DescribeAvailabilityZones': ({ zones }) =>
    ec2Answer(
      'DescribeAvailabilityZones',
      'availabilityZoneInfo',
      zones.map(
        ([name, id]) =>
          `<zoneName>${name}</zoneName><zoneId>${id}</zoneId><zoneState>available</zoneState><zoneType>availability-zone</zoneType>`,
      ),
    ),
  'ec2:DescribeSubnets': ({ zones, network }, input) =>
    ec2Answer(
      'DescribeSubnets',
      'subnetSet',
      zones
        .map(([name, id], at) => ({ name, id, subnetId: network?.subnetIds[at] }))
        .filter(({ subnetId }) => input['Filter.1.Name'] === 'default-for-az' || subnetId !== undefined)
        .map(
          ({ name, id, subnetId }) =>
            `<subnetId>${subnetId}</subnetId><vpcId>${network?.vpcId}</vpcId><availableIpAddressCount>251</availableIpAddressCount><availabilityZone>${name}</availabilityZone><availabilityZoneId>${id}</availabilityZoneId>`,
        ),
    ),
  'ec2:DescribeSecurityGroups': ({ network }, input) =>
    ec2Answer(
      'DescribeSecurityGroups',
      'securityGroupInfo',
      network?.groupId === input['Filter.1.Value.1']
        ? [`<groupId>${network?.groupId}</groupId><vpcId>${network?.vpcId}</vpcId>`]
        : [],
    ),
  'ec2:DescribeVpcEndpoints': ({ network }, input) =>
    ec2Answer(
      'DescribeVpcEndpoints',
      'vpcEndpointSet',
      network?.vpcId === input['Filter.1.Value.1'] ? ['<vpcEndpointId>vpce-1</vpcEndpointId>'] : [],
    ),
  'ec2:DescribeInstanceTypes': ({ instanceTypes }, input) => {
    const vcpus = instanceTypes[String(input['Filter.1.Value.1'])];
    const items = vcpus === undefined ? [] : [`<vCpuInfo><defaultVCpus>${vcpus}</defaultVCpus></vCpuInfo>`];
    return ec2Answer('DescribeInstanceTypes', 'instanceTypeSet', items);
  },
  'dynamodb:DescribeTable': ({ tables }, { TableName }) => {
    const LatestStreamArn = tables[String(TableName)];
    if (LatestStreamArn === undefined) return new Refusal('ResourceNotFoundException');
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    return { Table: { TableName, TableStatus: 'ACTIVE', LatestStreamArn, StreamSpecification } };
  },
  'ec2:DescribeVpcs': ({ vpcs }) =>
    ec2Answer(
      'DescribeVpcs',
      'vpcSet',
      Array.from({ length: vpcs }, (_, at) => `<vpcId>vpc-0000000${at}</vpcId>`),
    ),
};

export function xmlResult(operation: string, content: string): string {
  return `<${operation}Response><${operation}Result>${content}</${operation}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></${operation}Response>`;
}

function ec2Answer(operation: string, list: string, items: readonly string[]): string {
  const content = items.map((item) => `<item>${item}</item>`).join('');
  return `<${operation}Response><requestId>r</requestId><${list}>${content}</${list}></${operation}Response>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
