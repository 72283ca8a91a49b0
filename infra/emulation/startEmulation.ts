import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpServer, LOOPBACK } from '../host/openHttpServer.ts';
import { UsageError } from '../host/UsageError.ts';
import { NEW_ACCOUNT_CONCURRENCY } from './functions/AccountConcurrency.ts';
import { bundleContainer } from '../cdk/bundleContainer.ts';
import {
  bundleWorker,
  deployFunctions,
  lambdaVariables,
  type FunctionPool,
  serviceVariables,
  type ServiceEndpoints,
} from './functions/deployFunctions.ts';
import { Authorizer } from './gateway/Authorizer.ts';
import { EmulatedSmokeTest } from './functions/EmulatedSmokeTest.ts';
import { invokeAtDeploy } from './functions/invokeAtDeploy.ts';
import { EmulatedContainer } from './functions/EmulatedContainer.ts';
import { Gateway, type GatewayTarget } from './gateway/Gateway.ts';
import { openGatewayServer } from './gateway/openGatewayServer.ts';
import { NO_METER, type Meter } from './bill/Meter.ts';
import { type EmulationOptions, emulatedKnobs } from './EmulationOptions.ts';
import { nameRoles, readRoles } from './iam/isAllowed.ts';
import { openServiceProxies } from './services/openServiceProxies.ts';
import { createToken } from './identity/createToken.ts';
import { createAdministrator, createInstanceSession, createSmokeTestSession } from './identity/emulatedIdentities.ts';
import { emulatedKubeconfig } from './identity/emulatedKubeconfig.ts';
import { type Certificate, selfSignedCertificate } from '../host/selfSignedCertificate.ts';
import { type KnownIdentity, EmulatedSts } from './identity/EmulatedSts.ts';
import { createEmulatedTables, DynamoDbLocal, requireJava } from './services/DynamoDbLocal.ts';
import { copyTables, restoreTables, type TableCopies } from './services/tableCopies.ts';
import { EmulatedEc2 } from './services/EmulatedEc2.ts';
import type { ResourceAnswer } from './services/EmulatedCloudFormation.ts';
import { EmulatedQueues } from './services/EmulatedQueues.ts';
import { readContainer } from './template/readContainer.ts';
import { type ApiSpec, readApi } from './template/readApi.ts';
import { readFunctions } from './template/readFunctions.ts';
import { readSmokeTest } from './template/readSmokeTest.ts';
import { type SynthesizedStack, synthesizeStack } from './template/synthesizeStack.ts';
import { TemplateResolver } from './template/Template.ts';
import { updateStack, type UpdateOutcome } from './updateStack.ts';
import { startTriggers } from './triggers/startTriggers.ts';

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
  /** Runs the smoke test again, as an update does while the stack has this status: `UPDATE_IN_PROGRESS`. Rejects without `smokeTest`. */
  updateSmokeTest(stackStatus: string): Promise<ResourceAnswer>;
  /** Updates the stack to another release, and back if that fails; see `updateStack`. */
  update(stack: SynthesizedStack): Promise<UpdateOutcome>;
  /** Takes a copy of each table, as a backup does; by the table's name, which is its logical id. */
  copyTables(): Promise<TableCopies>;
  stop(): Promise<void>;
}

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
  const { instances = [] } = options;
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
  const synthesizing = options.stack ?? synthesizeStack(directory, { ...emulatedKnobs(options), restoredTables });
  const [stack, dynamoDb] = await Promise.all([synthesizing, starting]);
  const queues = await EmulatedQueues.start(directory);
  onStop(() => queues.stop());
  const administrator = createAdministrator();
  const sessions = new Map(instances.map((instance) => [instance.id, createInstanceSession(instance)]));
  const template = new TemplateResolver(stack.template, stack.stackName);
  await createEmulatedTables(template, dynamoDb);
  const { port, accessKeyId } = dynamoDb;
  const emulated = { dynamoDb: { port }, accessKeyId, sqs: queues.address, queueOrigin: queues.origin };
  const services = await openServiceProxies(emulated, meter);
  onStop(() => services.close());
  await queues.create(template, services.sqs.endpoint);
  nameRoles(template);
  const specs = readFunctions(template, stack.assetPaths);
  const api = readApi(template);
  const isPermitted = readRoles(template);
  const spec = readSmokeTest(template, stack.assetPaths);
  const tested = spec && { spec, session: createSmokeTestSession(spec.role) };
  const identities = [administrator, ...sessions.values(), ...(tested ? [tested.session] : [])];
  const sts = await EmulatedSts.open(identities, Date.now);
  onStop(() => sts.close());
  services.setPermissions(isPermitted);
  const ec2 = await EmulatedEc2.open({ instances, isPermitted });
  onStop(() => ec2.close());
  const endpoints = {
    ec2Endpoint: ec2.endpoint,
    dynamoDbEndpoint: services.dynamoDb.endpoint,
    sqsEndpoint: services.sqs.endpoint,
    sessionToken: services.sessionToken,
  };
  const sharedParts = { workerPath: await bundleWorker(directory), stsPort: sts.port, ...endpoints, onLog };
  const functions = await deployFunctions(specs, {
    sharedParts,
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
  const smokeTest =
    tested &&
    (await EmulatedSmokeTest.open({
      ...tested,
      sharedParts: { ...sharedParts, variables: lambdaVariables(tested.spec.function, sharedParts) },
      isPermitted,
      apiUrl: `http://${LOOPBACK}:${http.port}/${api.stage}`,
    }));
  if (smokeTest) {
    onStop(() => smokeTest.close());
    await smokeTest.deploy();
  }
  const apiUrl = `http://${LOOPBACK}:${http.port}/${api.stage}`;
  let deployed = stack;
  const update = async (next: SynthesizedStack) => {
    const outcome = await updateStack(
      { template, functions, sharedParts, sts, apiUrl, setPermissions: (given) => services.setPermissions(given) },
      deployed,
      next,
    );
    if (outcome.status === 'UPDATE_COMPLETE') deployed = next;
    return outcome;
  };
  return emulationOf({
    stack,
    update,
    template,
    api,
    http,
    directPort: backend.directPort,
    administrator,
    sessions,
    smokeTest,
    certificate,
    dynamoDb,
    failed: Promise.race([dynamoDb.failed, triggers.failed, ...(backend.failed ? [backend.failed] : [])]),
    stop,
  });
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
  readonly update: Emulation['update'];
  readonly template: TemplateResolver;
  readonly api: ApiSpec;
  readonly http: HttpServer;
  readonly directPort: number | undefined;
  readonly administrator: KnownIdentity;
  readonly sessions: ReadonlyMap<string, KnownIdentity>;
  readonly smokeTest: EmulatedSmokeTest | undefined;
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
    updateSmokeTest: async (status) => {
      if (!parts.smokeTest) throw new Error('the stack has no smoke test');
      return await parts.smokeTest.run('Update', status);
    },
    update: parts.update,
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
