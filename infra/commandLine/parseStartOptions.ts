import {
  isKubernetesRelease,
  KUBERNETES_RELEASES,
  type KubernetesRelease,
} from '../../lambdas/objects/KubernetesRelease.ts';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { parseClusterIpRanges, parseNodePortRange } from '../../lambdas/registry/services/ServiceNetwork.ts';
import { ConfigError } from '../../lambdas/functions/parseServedConfig.ts';
import { parseCommand } from '../commandLine/parseCommand.ts';
import { parseControllers, type SwitchedOff } from '../host/parseControllers.ts';
import { parseDataDir } from './parseDataDir.ts';
import { type AuditLogSettings, STANDARD_OUTPUT } from '../local/AuditLogSettings.ts';
import type { RequestLimitSettings } from '../../lambdas/rest/flowcontrol/RequestLimitSettings.ts';
import { parseRequestLimits } from './parseRequestLimits.ts';
import { parsePort } from '../host/parsePort.ts';
import type { TracingSettings } from '../local/openTracing.ts';
import { UsageError } from '../host/UsageError.ts';

const DEFAULT_PORT = 8001;
/** The smallest quota that AWS gives to an account. */
const LEAST_CONCURRENCY = 10;
/** As many as the stack accepts. */
const MOST_NODES = 5_000;

/** The options of the command line. */
export interface StartOptions {
  readonly port: number;
  /** Absolute. Absent: a folder of its own, for a server that keeps nothing. */
  readonly dataDir?: string;
  readonly ephemeral: boolean;
  /** Where the kubeconfig is written; absolute. Absent: into the data directory. */
  readonly kubeconfig?: string;
  /** The file that says that the server is ready; absolute. Absent: none. */
  readonly readyFile?: string;
  /** Absent: the machine's clock. */
  readonly clock?: 'virtual';
  /** The first time of the virtual clock, in milliseconds since the epoch. Absent: what the data directory has reached, or a fixed time. */
  readonly startTimeMs?: number;
  /** The group `testing.driftless.dev` is served. */
  readonly testing?: true;
  /** Clients authenticate, and RBAC decides what they may do. The cloud stack always does so. */
  readonly rbac: boolean;
  /** As `rbac`, and an authority of the cluster signs the certificates of the server, of nodes and of users. */
  readonly tls?: boolean;
  /** The address to listen on. Absent: loopback. */
  readonly listen?: string;
  /** The cloud stack on emulators, instead of the embedded composition. */
  readonly emulateCloud: boolean;
  /** The emulated account's quota of concurrent executions. Absent: that of a new account. */
  readonly accountConcurrency?: number;
  /** What answers the API of the emulated cloud. Absent: a function. */
  readonly api?: 'function' | 'container';
  /** The number of simulated nodes that are created. Absent: three. */
  readonly nodes?: number;
  /** The controllers that do not run. Absent: all run. */
  readonly controllers?: SwitchedOff;
  /** How many pods that have ended stay; 0: all. Absent: as in kube-controller-manager. */
  readonly terminatedPodGcThreshold?: number;
  /** The release of Kubernetes whose API is served. Absent: the newest. */
  readonly kubernetesVersion?: KubernetesRelease;
  /** From where Services get addresses, and node ports. Absent: as in kubeadm. */
  readonly serviceClusterIpRange?: string;
  readonly serviceNodePortRange?: string;
  /** How many requests a second users and namespaces have. Absent: any number. */
  readonly requestLimits?: RequestLimitSettings;
  /** What is recorded of requests. Absent: nothing. */
  readonly audit?: AuditLogSettings;
  /** Where spans are sent, and how many. Absent: nothing is traced. */
  readonly tracing?: TracingSettings;
  /** The manifests to apply, as the user named them. */
  readonly filenames: readonly string[];
  /** Where services that webhooks name are: by `namespace/name`. Absent: webhooks name URLs. */
  readonly webhookServices?: Readonly<Record<string, string>>;
}

/** The options of a server that has its folder. */
export type PlacedOptions = StartOptions & { readonly dataDir: string };

/** Parses the options of the command line. Throws a UsageError for an unknown option or an invalid value. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { values } = parseCommand('start', args);
  const services = values['webhook-service'];
  const terminated = values['terminated-pod-gc-threshold'];
  const release = values['kubernetes-version'];
  const accountConcurrency = parseConcurrency(values['account-concurrency']);
  const api = parseApi(values.api);
  for (const option of [
    'tls',
    'listen',
    'clock',
    'testing',
    'kubeconfig',
    ...AUDIT_OPTIONS,
    ...TRACING_OPTIONS,
  ] as const) {
    if (values[option] !== undefined && values['emulate-cloud'])
      throw new UsageError(`--${option} does not go with --emulate-cloud`);
  }
  for (const option of ['account-concurrency', 'api'] as const) {
    if (values[option] !== undefined && !values['emulate-cloud']) {
      throw new UsageError(`--${option} needs --emulate-cloud`);
    }
  }
  return {
    port: parsePort(values.port, DEFAULT_PORT),
    ...parseFolder(values),
    ephemeral: values.ephemeral ?? false,
    rbac: values.rbac ?? false,
    ...(values.kubeconfig !== undefined && { kubeconfig: parseFile('kubeconfig', values.kubeconfig) }),
    ...(values['ready-file'] !== undefined && { readyFile: parseFile('ready-file', values['ready-file']) }),
    ...parseClock(values),
    ...(values.tls === true && { tls: true }),
    ...(values.listen !== undefined && { listen: parseListen(values.listen, values) }),
    emulateCloud: values['emulate-cloud'] ?? false,
    ...(accountConcurrency !== undefined && { accountConcurrency }),
    ...(api !== undefined && { api }),
    ...(values.nodes !== undefined && { nodes: parseNodes(values.nodes) }),
    ...(values.controllers !== undefined && { controllers: parseControllers(values.controllers) }),
    ...(terminated !== undefined && {
      terminatedPodGcThreshold: parseCount('terminated-pod-gc-threshold', terminated),
    }),
    ...(release !== undefined && { kubernetesVersion: parseRelease(release) }),
    ...parseServiceRanges(values),
    ...parseRequestLimits(values),
    ...parseAudit(values),
    ...parseTracing(values),
    filenames: values.filename ?? [],
    ...(services && { webhookServices: parseWebhookServices(services) }),
  };
}

/** A server that keeps its objects finds them where it is started. One that keeps nothing leaves that directory to others. */
function parseFolder(values: {
  readonly 'data-dir'?: string;
  readonly ephemeral?: boolean;
  readonly 'emulate-cloud'?: boolean;
}): Pick<StartOptions, 'dataDir'> {
  const { 'data-dir': named, ephemeral, 'emulate-cloud': emulateCloud } = values;
  return named === undefined && (ephemeral || emulateCloud) ? {} : { dataDir: parseDataDir(named) };
}

const AUDIT_OPTIONS = [
  'audit-log-path',
  'audit-policy-file',
  'audit-log-maxsize',
  'audit-log-maxbackup',
  'audit-log-maxage',
] as const;

/** As large as a file becomes in kube-apiserver without an option. */
const DEFAULT_AUDIT_FILE_MB = 100;

function parseAudit(values: Partial<Record<(typeof AUDIT_OPTIONS)[number], string>>): Pick<StartOptions, 'audit'> {
  if (AUDIT_OPTIONS.every((option) => values[option] === undefined)) return {};
  const { 'audit-log-path': path, 'audit-policy-file': policy } = values;
  const numberOf = (option: 'audit-log-maxsize' | 'audit-log-maxbackup' | 'audit-log-maxage') =>
    parseCount(option, values[option] ?? '0');
  return {
    audit: {
      ...(policy !== undefined && { policyFile: parseFile('audit-policy-file', policy) }),
      ...(path !== undefined && { logPath: path === STANDARD_OUTPUT ? path : parseFile('audit-log-path', path) }),
      maxSizeMb: numberOf('audit-log-maxsize') || DEFAULT_AUDIT_FILE_MB,
      maxBackups: numberOf('audit-log-maxbackup'),
      maxAgeDays: numberOf('audit-log-maxage'),
    },
  };
}

const TRACING_OPTIONS = ['tracing-endpoint', 'tracing-sampling-rate'] as const;

function parseTracing(
  values: Partial<Record<(typeof TRACING_OPTIONS)[number], string>>,
): Pick<StartOptions, 'tracing'> {
  const { 'tracing-endpoint': endpoint, 'tracing-sampling-rate': rate = '1' } = values;
  if (endpoint === undefined && values['tracing-sampling-rate'] !== undefined)
    throw new UsageError('--tracing-sampling-rate needs --tracing-endpoint');
  if (endpoint === undefined) return {};
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--tracing-endpoint must be an http or https URL, not ${JSON.stringify(endpoint)}`);
  const sampleRate = /^[01](?:\.\d{1,9})?$/.test(rate) ? Number(rate) : Number.NaN;
  if (!(sampleRate <= 1))
    throw new UsageError(`--tracing-sampling-rate must be a number from 0 to 1, not ${JSON.stringify(rate)}`);
  return { tracing: { endpoint: url.href, sampleRate } };
}

function parseCount(option: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`--${option} must be a number, not ${JSON.stringify(value)}`);
}

function parseFile(option: string, value: string): string {
  if (value === '') throw new UsageError(`--${option} must name a file`);
  return resolve(value);
}

/** A virtual clock is of no use without the group that moves it. */
function parseClock(values: {
  readonly clock?: string;
  readonly testing?: boolean;
  readonly 'start-time'?: string;
}): Pick<StartOptions, 'clock' | 'startTimeMs' | 'testing'> {
  const { clock = 'real', testing = false, 'start-time': startTime } = values;
  if (clock !== 'real' && clock !== 'virtual')
    throw new UsageError(`--clock must be real or virtual, not ${JSON.stringify(clock)}`);
  if (clock === 'real') {
    if (startTime !== undefined) throw new UsageError('--start-time needs --clock virtual');
    return testing ? { testing } : {};
  }
  return { clock, testing: true, ...(startTime !== undefined && { startTimeMs: parseStartTime(startTime) }) };
}

function parseStartTime(value: string): number {
  const ms = Date.parse(value);
  if (!Number.isNaN(ms)) return ms;
  throw new UsageError(`--start-time must be a time such as 2026-01-01T00:00:00Z, not ${JSON.stringify(value)}`);
}

/** Beyond loopback only a server listens that knows its clients. */
function parseListen(address: string, options: { readonly rbac?: boolean; readonly tls?: boolean }): string {
  if (isIP(address) === 0) throw new UsageError(`--listen must be an IP address, not ${JSON.stringify(address)}`);
  if (!options.tls && !options.rbac && !/^(?:127\.|::1$)/.test(address))
    throw new UsageError(
      `--listen ${address} needs --tls: without it, anybody who reaches this machine could do everything`,
    );
  return address;
}

/** `NAMESPACE/NAME=HOST:PORT`, checked as the configuration's field of that name. */
function parseWebhookServices(values: readonly string[]): Readonly<Record<string, string>> {
  const services = values.map((value): [string, string] => {
    const equals = value.indexOf('=');
    return [value.slice(0, Math.max(equals, 0)), value.slice(equals + 1)];
  });
  try {
    return parseConfig({ webhookServices: Object.fromEntries(services) }).webhookServices;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError('--webhook-service must be NAMESPACE/NAME=HOST:PORT', { cause: error });
  }
}

function parseNodes(value: string): number {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (count <= MOST_NODES) return count;
  throw new UsageError(`--nodes must be a number from 0 to ${MOST_NODES}, not ${JSON.stringify(value)}`);
}

function parseRelease(value: string): KubernetesRelease {
  if (isKubernetesRelease(value)) return value;
  throw new UsageError(
    `--kubernetes-version must be one of ${KUBERNETES_RELEASES.join(', ')}, not ${JSON.stringify(value)}`,
  );
}

type ServiceRangeOption = 'service-cluster-ip-range' | 'service-node-port-range';

function parseServiceRanges(
  values: Partial<Record<ServiceRangeOption, string>>,
): Pick<StartOptions, 'serviceClusterIpRange' | 'serviceNodePortRange'> {
  const { 'service-cluster-ip-range': clusterIps, 'service-node-port-range': nodePorts } = values;
  requireParsed('service-cluster-ip-range', () => parseClusterIpRanges(clusterIps));
  requireParsed('service-node-port-range', () => parseNodePortRange(nodePorts));
  return {
    ...(clusterIps !== undefined && { serviceClusterIpRange: clusterIps }),
    ...(nodePorts !== undefined && { serviceNodePortRange: nodePorts }),
  };
}

function requireParsed(option: ServiceRangeOption, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`--${option} ${error.message}`) : error;
  }
}

function parseConcurrency(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (count >= LEAST_CONCURRENCY) return count;
  throw new UsageError(
    `--account-concurrency must be a number from ${LEAST_CONCURRENCY}, not ${JSON.stringify(value)}`,
  );
}

function parseApi(value: string | undefined): StartOptions['api'] {
  if (value === undefined || value === 'function' || value === 'container') return value;
  throw new UsageError(`--api must be function or container, not ${JSON.stringify(value)}`);
}
