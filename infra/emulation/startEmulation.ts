import type { KubernetesRelease } from '../../lambdas/objects/KubernetesRelease.ts';
import type { RequestLimitSettings } from '../../lambdas/rest/flowcontrol/RequestLimitSettings.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TableName } from '../cdk/TableName.ts';
import { type HttpServer, LOOPBACK } from '../host/openHttpServer.ts';
import type { SwitchedOff } from '../host/parseControllers.ts';
import { UsageError } from '../host/UsageError.ts';
import { NEW_ACCOUNT_CONCURRENCY } from './functions/AccountConcurrency.ts';
import { bundleContainer } from '../cdk/bundleContainer.ts';
import {
  bundleWorker,
  deployFunctions,
  type FunctionPool,
  serviceVariables,
  type ServiceEndpoints,
} from './functions/deployFunctions.ts';
import { Authorizer } from './gateway/Authorizer.ts';
import { EmulatedContainer } from './functions/EmulatedContainer.ts';
import { Gateway, type GatewayTarget } from './gateway/Gateway.ts';
import { openGatewayServer } from './gateway/openGatewayServer.ts';
import { NO_METER, type Meter } from './bill/Meter.ts';
import { readRoles } from './iam/isAllowed.ts';
import { openServiceProxies } from './services/openServiceProxies.ts';
import { createToken } from './identity/createToken.ts';
import { createAdministrator, createInstanceSession, emulatedMappings } from './identity/emulatedIdentities.ts';
import { emulatedKubeconfig } from './identity/emulatedKubeconfig.ts';
import { type Certificate, selfSignedCertificate } from '../host/selfSignedCertificate.ts';
import { type KnownIdentity, EmulatedSts } from './identity/EmulatedSts.ts';
import { createEmulatedTables, DynamoDbLocal, requireJava } from './services/DynamoDbLocal.ts';
import { copyTables, restoreTables, type TableCopies, type TableCopy } from './services/tableCopies.ts';
import { EmulatedEc2, type EmulatedInstance } from './services/EmulatedEc2.ts';
import { EmulatedQueues } from './services/EmulatedQueues.ts';
import { readContainer } from './template/readContainer.ts';
import { type ApiSpec, readApi } from './template/readApi.ts';
import { readFunctions } from './template/readFunctions.ts';
import { readDeployInvocations } from './template/readTriggers.ts';
import { type SynthesizedStack, synthesizeStack } from './template/synthesizeStack.ts';
import { TemplateResolver } from './template/Template.ts';
import { startTriggers } from './triggers/startTriggers.ts';

export interface EmulationOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Counts the usage that AWS bills. */
  readonly meter?: Meter;
  readonly onLog?: (functionName: string, text: string) => void;
  /** The account's quota of concurrent executions; a new account's by default. */
  readonly accountConcurrency?: number;
  /** What answers the API; a function by default. */
  readonly api?: 'function' | 'container';
  /** The number of simulated nodes; the stack's default if absent. */
  readonly nodes?: number;
  /** The controllers that do not run. */
  readonly controllers?: SwitchedOff;
  /** How many pods that have ended stay. Absent: as in kube-controller-manager. */
  readonly terminatedPodGcThreshold?: number;
  /** The release of Kubernetes whose API is served. Absent: the newest. */
  readonly kubernetesVersion?: KubernetesRelease;
  /** From where Services get addresses, and node ports. Absent: as in kubeadm. */
  readonly serviceClusterIpRange?: string;
  readonly serviceNodePortRange?: string;
  /** How many requests a second users and namespaces have. Absent: any number. */
  readonly requestLimits?: RequestLimitSettings;
  /** Where services that webhooks name are: by `namespace/name`, as `127.0.0.1:9443`. */
  readonly webhookServices?: Readonly<Record<string, string>>;
  /** Whether the container can be called without API Gateway. */
  readonly directAddress?: boolean;
  /** The instances of EC2 that are nodes by the identities of the stack; none by default. */
  readonly instances?: readonly EmulatedInstance[];
  /** Copies of another stack's tables: they are restored, and the stack adopts them. */
  readonly restored?: Readonly<Partial<Record<TableName, TableCopy>>>;
}

/** An emulated cloud stack. */
export interface Emulation {
  /** `http://127.0.0.1:8001`; the same port also accepts TLS. */
  readonly url: string;
  /** The container's own address, `https://localhost:6443`, with a certificate of the cluster's authority; absent if it has none. */
  readonly directUrl: string | undefined;
  /** Resolves if an emulator ends unexpectedly; nothing works after that. */
  readonly failed: Promise<Error>;
  /** Returns a new bearer token of the administrator. Valid for a quarter of an hour. */
  token(): string;
  /** Returns a new bearer token as `aws eks get-token` prints it on that instance. Throws if there is no such instance. */
  instanceToken(instanceId: string): string;
  /** Returns a kubeconfig with a new token. `tokenFile` is the file into which the caller writes later tokens. */
  kubeconfig(tokenFile: string): string;
  /** Takes a copy of each table, as a backup does; by the table's name, which is its logical id. */
  copyTables(): Promise<TableCopies>;
  stop(): Promise<void>;
}

/** Where instances are. What the template says of it changes nothing here: all of the emulation is on this machine. */
const NODE_NETWORK = {
  vpcId: 'vpc-00000000',
  subnetIds: ['subnet-00000001', 'subnet-00000002'],
  securityGroupId: 'sg-00000000',
};

/**
 * Deploys the CDK app onto emulators on this machine, from its own template and bundles. Resolves when the deployment is done and requests are answered. Throws a
 * UsageError if something is missing that the user can install, and Node's error if the port cannot be used.
 */
export async function startEmulation(options: EmulationOptions = {}): Promise<Emulation> {
  const ending: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of ending.reverse()) await end();
  };
  try {
    return await deploy(options, (end) => ending.push(end), stop);
  } catch (error) {
    await stop();
    throw asUsageError(error);
  }
}

type OnStop = (end: () => Promise<unknown>) => void;

async function deploy(options: EmulationOptions, onStop: OnStop, stop: () => Promise<void>): Promise<Emulation> {
  const { meter = NO_METER, onLog = () => {}, accountConcurrency = NEW_ACCOUNT_CONCURRENCY } = options;
  const {
    webhookServices = {},
    controllers = {},
    terminatedPodGcThreshold,
    kubernetesVersion,
    serviceClusterIpRange,
    serviceNodePortRange,
    requestLimits,
    nodes,
    instances = [],
  } = options;
  const knobs = {
    identities: emulatedMappings(instances),
    accountConcurrency,
    api: options.api ?? 'function',
    ...(nodes !== undefined && { nodes }),
    ...(instances.length > 0 && { nodeNetwork: NODE_NETWORK }),
    ...(options.directAddress && { directAddress: 'internal' as const }),
    config: {
      controllers,
      webhookServices,
      ...(terminatedPodGcThreshold !== undefined && { terminatedPodGcThreshold }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
      ...(serviceClusterIpRange !== undefined && { serviceClusterIpRange }),
      ...(serviceNodePortRange !== undefined && { serviceNodePortRange }),
      ...(requestLimits !== undefined && { requestLimits }),
    },
  };
  requireSources();
  requireJava();
  const directory = await mkdtemp(join(tmpdir(), 'driftless-cloud-'));
  onStop(() => rm(directory, { recursive: true, force: true }));
  const starting = DynamoDbLocal.start();
  onStop(() =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  const restoredTables = options.restored ? await restoreTables(await starting, options.restored) : {};
  const [stack, dynamoDb] = await Promise.all([synthesizeStack(directory, { ...knobs, restoredTables }), starting]);
  const queues = await EmulatedQueues.start(directory);
  onStop(() => queues.stop());
  const administrator = createAdministrator();
  const sessions = new Map(instances.map((instance) => [instance.id, createInstanceSession(instance)]));
  const sts = await EmulatedSts.open([administrator, ...sessions.values()], Date.now);
  onStop(() => sts.close());
  const template = new TemplateResolver(stack.template, stack.stackName);
  await createEmulatedTables(template, dynamoDb);
  const { port, accessKeyId } = dynamoDb;
  const emulated = { dynamoDb: { port }, accessKeyId, sqs: queues.address, queueOrigin: queues.origin };
  const services = await openServiceProxies(emulated, meter);
  onStop(() => services.close());
  await queues.create(template, services.sqs.endpoint);
  const specs = readFunctions(template, stack.assetPaths);
  const api = readApi(template);
  const isPermitted = readRoles(template);
  services.setPermissions(isPermitted);
  const ec2 = await EmulatedEc2.open({ instances, isPermitted });
  onStop(() => ec2.close());
  const endpoints = {
    ec2Endpoint: ec2.endpoint,
    dynamoDbEndpoint: services.dynamoDb.endpoint,
    sqsEndpoint: services.sqs.endpoint,
    sessionToken: services.sessionToken,
  };
  const functions = await deployFunctions(specs, {
    sharedParts: { workerPath: await bundleWorker(directory), stsPort: sts.port, ...endpoints, onLog },
    meter,
    accountConcurrency,
  });
  const triggers = startTriggers({ template, functions, dynamoDb, queues, meter });
  // Functions end together with the triggers that wait for their answers.
  onStop(() => Promise.all([triggers.stop(), functions.close()]));
  await invokeAtDeploy(template, functions);
  const certificate = selfSignedCertificate(Date.now());
  const backend = await openBackend(api, { template, functions, directory, endpoints, onLog, onStop });
  const http = await serve(api, functions, backend.target, certificate, options.port ?? 0, meter);
  onStop(() => http.close());
  return emulationOf({
    stack,
    template,
    api,
    http,
    directPort: backend.directPort,
    administrator,
    sessions,
    certificate,
    dynamoDb,
    failed: Promise.race([dynamoDb.failed, triggers.failed, ...(backend.failed ? [backend.failed] : [])]),
    stop,
  });
}

async function invokeAtDeploy(template: TemplateResolver, functions: FunctionPool): Promise<void> {
  for (const { functionName, payload } of readDeployInvocations(template)) {
    const outcome = await functions.get(functionName).invoke(payload);
    if (outcome.status === 'returned') continue;
    const why = outcome.status === 'failed' ? (outcome.failure.trace?.join('\n') ?? outcome.failure.errorMessage) : '';
    throw new Error(`${functionName} failed at the deployment: ${why}`);
  }
}

interface BackendParts {
  readonly template: TemplateResolver;
  readonly functions: FunctionPool;
  readonly directory: string;
  readonly endpoints: ServiceEndpoints;
  readonly onLog: (name: string, text: string) => void;
  readonly onStop: OnStop;
}

interface Backend {
  readonly target: GatewayTarget;
  readonly failed?: Promise<Error>;
  readonly directPort?: number | undefined;
}

/** Finds the API's function, or starts its container from the stack's own bundle. */
async function openBackend(
  { integration }: ApiSpec,
  { template, functions, directory, endpoints, onLog, onStop }: BackendParts,
): Promise<Backend> {
  if (integration.kind === 'function') {
    return { target: { kind: 'function', target: functions.get(integration.functionName) } };
  }
  const spec = readContainer(template);
  if (!spec) throw new Error('the stack has no container');
  bundleContainer(join(directory, 'container'));
  const container = await EmulatedContainer.start({
    spec,
    modulePath: join(directory, 'container', 'index.mjs'),
    directory,
    variables: serviceVariables(spec.logicalId, endpoints),
    onLog,
  });
  onStop(() => container.stop());
  const { socketPath, failed, directPort } = container;
  return { target: { kind: 'container', integration, socketPath }, failed, directPort };
}

async function serve(
  api: ApiSpec,
  functions: FunctionPool,
  target: GatewayTarget,
  certificate: Certificate,
  port: number,
  meter: Meter,
): Promise<HttpServer> {
  const authorizer = new Authorizer(api, functions.get(api.authorizer.functionName));
  const gateway = new Gateway({ api, authorizer, target, onAnswered: (bytes) => meter.request(bytes) });
  return await openGatewayServer((request, response) => gateway.answer(request, response), certificate, port);
}

interface EmulationParts {
  readonly stack: SynthesizedStack;
  readonly template: TemplateResolver;
  readonly api: ApiSpec;
  readonly http: HttpServer;
  readonly directPort: number | undefined;
  readonly administrator: KnownIdentity;
  readonly sessions: ReadonlyMap<string, KnownIdentity>;
  readonly dynamoDb: DynamoDbLocal;
  readonly certificate: Certificate;
  readonly failed: Promise<Error>;
  readonly stop: () => Promise<void>;
}

function emulationOf(parts: EmulationParts): Emulation {
  const { stack, template, api, http, administrator, sessions, certificate, dynamoDb, failed, stop } = parts;
  const clusterId = String(template.resolve(stack.template.Outputs?.['ClusterId']?.Value));
  const token = () => createToken(administrator, clusterId, Date.now());
  const server = `https://${LOOPBACK}:${http.port}/${api.stage}`;
  return {
    url: `http://${LOOPBACK}:${http.port}`,
    directUrl: parts.directPort === undefined ? undefined : `https://localhost:${parts.directPort}`,
    failed,
    token,
    instanceToken: (instanceId) => {
      const session = sessions.get(instanceId);
      if (!session) throw new Error(`there is no instance ${instanceId}`);
      return createToken(session, clusterId, Date.now());
    },
    copyTables: () => copyTables(dynamoDb),
    kubeconfig: (tokenFile) =>
      emulatedKubeconfig({ server, certificate: certificate.certificate, token: token(), tokenFile }),
    stop,
  };
}

/** The published package has no sources to bundle functions from. */
function requireSources(): void {
  if (existsSync(new URL('functions/functionWorker.ts', import.meta.url))) return;
  throw new UsageError('--emulate-cloud works in a checkout of the sources: npm start -- --emulate-cloud');
}

/** Turns a missing package into a UsageError. */
function asUsageError(error: unknown): unknown {
  const missing = /Cannot find package '([^']+)'/.exec(String(error))?.[1];
  if (missing === undefined) return error;
  return new UsageError(`--emulate-cloud needs the package ${missing}, which npm install brings`, { cause: error });
}
