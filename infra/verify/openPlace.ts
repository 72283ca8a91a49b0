import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { openKubeconfigContext } from '../commandLine/openKubeconfigContext.ts';
import { type KubeconfigContext, kubeconfigPaths, readKubeconfigContext } from '../commandLine/KubeconfigContext.ts';
import { KNOBS_METADATA, readKnobsMetadata } from '../cdk/deployedKnobs.ts';
import { UsageError } from '../host/UsageError.ts';
import { ReadError } from '../preflight/AccountReads.ts';
import { openAws } from '../preflight/openAws.ts';
import { AwsChanges } from './aws/AwsChanges.ts';
import { AwsObservations } from './aws/AwsObservations.ts';
import { AwsStackReads } from './aws/AwsStackReads.ts';
import { Cleanups } from './Cleanups.ts';
import { ApiFailure, ClusterApi } from './ClusterApi.ts';
import type { Cloud, Place } from './Place.ts';
import type { VerifyOptions } from './parseVerifyOptions.ts';
import type { RunClock } from './RunClock.ts';
import type { StackAccount } from './StackAccount.ts';
import { quantile } from './Samples.ts';

export interface OpenPlace {
  readonly place: Place;
  /** What the server says it is: `v1.36.0`. */
  readonly kubernetesVersion: string;
  /** Absent without an account. */
  readonly accountId: string | undefined;
  /** The names under which the server is reached. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/** Finds the server and the stack that the options name. Throws a UsageError, of one line, for a context, a stack or credentials that there are not. */
export async function openPlace(options: VerifyOptions, clock: RunClock): Promise<OpenPlace> {
  const context = readContext(options);
  const found = await openCloud(options, context);
  const way = await openKubeconfigContext(context, options.kubeconfig);
  try {
    const api = new ClusterApi(way.send, clock);
    const kubernetesVersion = await versionOf(api, context);
    const runId = randomBytes(4).toString('hex');
    const place: Place = {
      api,
      roundTripMs: await measureRoundTrip(context.server, clock),
      isLocal: isLocal(context),
      cloud: found.cloud,
      withoutCloud: found.reason,
      runId,
      namespace: `driftless-verify-${runId}`,
      beganMs: clock.now(),
      clock,
      cleanups: new Cleanups(),
    };
    const hosts = hostsOf([context.server, ...Object.values(found.cloud?.stack.outputs ?? {})]);
    return { place, kubernetesVersion, accountId: found.accountId, hosts, close: () => way.close() };
  } catch (error) {
    await way.close();
    throw error;
  }
}

/** The hosts of the URLs among these texts. An output can also be a kubeconfig, or what the smoke test said. */
function hostsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const url = /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
    return url ? [url.hostname] : [];
  });
}

function readContext({ context, kubeconfig }: VerifyOptions): KubeconfigContext {
  const paths = kubeconfig === undefined ? kubeconfigPaths(process.env) : [kubeconfig];
  const found = parsed(() => readKubeconfigContext(paths, context));
  if (found) return found;
  throw new UsageError(`there is no context ${context} in ${paths.join(', ')}`);
}

function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(`the kubeconfig cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function isLocal({ server }: KubeconfigContext): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(server).hostname);
}

interface FoundCloud {
  readonly cloud: Cloud | undefined;
  readonly reason: string;
  readonly accountId?: string;
}

/** `https://abc123.execute-api.eu-central-1.amazonaws.com/k8s` */
const REGION_IN_HOST = /\.execute-api\.([a-z0-9-]+)\.amazonaws\./;

async function openCloud(options: VerifyOptions, context: KubeconfigContext): Promise<FoundCloud> {
  if (isLocal(context) && !process.env['AWS_ENDPOINT_URL']) {
    return { cloud: undefined, reason: 'the server is on this machine, and no account is behind it' };
  }
  const region = options.region ?? REGION_IN_HOST.exec(new URL(context.server).hostname)?.[1];
  const { account, caller, settings } = await openAws(options.profile, region);
  const opened: StackAccount = {
    region: caller.region,
    reads: new AwsStackReads(settings, account),
    observations: new AwsObservations(settings, caller.account),
    changes: new AwsChanges(settings),
  };
  const accountId = caller.account;
  try {
    return { cloud: await findStack(opened, options, context), reason: '', accountId };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    const { failure, action, message } = error;
    const reason = failure === 'denied' ? `it needs the permission ${action}` : `${action} failed with ${message}`;
    return { cloud: undefined, reason, accountId };
  }
}

async function findStack(
  account: StackAccount,
  { stack: name }: VerifyOptions,
  context: KubeconfigContext,
): Promise<Cloud> {
  const stack = await account.reads.stack(name);
  if (!stack) throw new UsageError(`there is no stack ${name} in ${account.region}; --stack and --region name another`);
  if (Object.values(stack.outputs).some((value) => value.includes(context.server))) {
    return { account, stack, knobs: readKnobsMetadata(stack.metadata[KNOBS_METADATA]) };
  }
  const at = stack.outputs['ApiUrl'] ?? 'nowhere';
  throw new UsageError(
    `the context ${context.name} is the server ${context.server}, but the stack ${name} is at ${at}; --stack names another`,
  );
}

async function versionOf(api: ClusterApi, { name }: KubeconfigContext): Promise<string> {
  try {
    return (await api.get<{ readonly gitVersion?: string }>('/version')).gitVersion ?? 'unknown';
  } catch (error) {
    if (error instanceof ApiFailure)
      throw new UsageError(`with the context ${name}, ${error.message}`, { cause: error });
    throw error;
  }
}

const ROUND_TRIPS = 3;
const CONNECT_PATIENCE_MS = 5_000;

/** As long as it takes to open a connection. 0 if that cannot be measured, such as behind a proxy. */
async function measureRoundTrip(server: string, clock: RunClock): Promise<number> {
  const { hostname, port, protocol } = new URL(server);
  const times: number[] = [];
  for (let at = 0; at < ROUND_TRIPS; at += 1) {
    const beganMs = clock.now();
    if (await connects(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))) times.push(clock.now() - beganMs);
  }
  return times.length > 0 ? quantile(times, 0.5) : 0;
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port, timeout: CONNECT_PATIENCE_MS });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
