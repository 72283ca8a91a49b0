import { DEFAULT_TERMINATED_PODS } from '../controllers/podgc/decideTerminated.ts';
import {
  isKubernetesRelease,
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  NEWEST_RELEASE,
} from '../objects/KubernetesRelease.ts';
import { CONTROLLER_NAMES, type ControllerName } from '../ports/WorkKey.ts';
import { DEFAULT_RESYNC_PERIOD_MS } from './limits.ts';

interface ControllerConfig {
  readonly enabled: boolean;
  /** How many of its keys are synced at a time, in one process; the cloud refuses it (see infra/cdk/parseStackProps.ts). */
  readonly workers: number;
}

/** The configuration of a control plane. */
export interface Config {
  /** The release of Kubernetes whose API is served. */
  readonly kubernetesVersion: KubernetesRelease;
  readonly controllers: Readonly<Record<ControllerName, ControllerConfig>>;
  /** Says for an API version, such as `apps/v1beta1` or `v1`, whether it is served. A version that is not named here is served. */
  readonly apiVersions: Readonly<Record<string, boolean>>;
  /** How often every key is queued even if nothing has changed; milliseconds. */
  readonly resyncPeriodMs: number;
  /** How many pods that have ended stay, as kube-controller-manager's `--terminated-pod-gc-threshold`; 0: all. */
  readonly terminatedPodGcThreshold: number;
  /** The addresses of services that webhooks name: by `namespace/name`, as `127.0.0.1:9443`. */
  readonly webhookServices: Readonly<Record<string, string>>;
}

/**
 * The defaults of kube-controller-manager's `--concurrent-…-syncs`. Pods have more workers, because in Kubernetes all nodes' kubelets work at the same
 * time.
 */
const DEFAULT_WORKERS: Readonly<Record<ControllerName, number>> = {
  deployment: 5,
  replicaset: 5,
  replicationcontroller: 5,
  job: 5,
  ttlafterfinished: 5,
  cronjob: 5,
  // As `--concurrent-daemonset-syncs`.
  daemonset: 2,
  horizontalpodautoscaler: 5,
  statefulset: 5,
  pod: 64,
  // All pods that wait have one key.
  scheduler: 1,
  garbagecollector: 20,
  namespace: 10,
  serviceaccount: 5,
  resourcequota: 5,
  customresourcedefinition: 5,
  endpoint: 5,
  endpointslice: 5,
  endpointslicemirroring: 5,
  disruption: 5,
  pvcprotection: 5,
  pvprotection: 5,
  persistentvolume: 5,
  validatingadmissionpolicystatus: 5,
  nodelifecycle: 5,
  // All simulated nodes have one key.
  nodelease: 1,
  tainteviction: 5,
  podgc: 5,
  csrapproving: 5,
  csrsigning: 5,
  csrcleaner: 1,
  // All tokens sign one config map.
  bootstrapsigner: 1,
  tokencleaner: 1,
};

const MAX_WORKERS = 1_000;
const SHORTEST_RESYNC_MS = 1_000;
const HIGHEST_PORT = 65_535;

/** The configuration is invalid. The message names the field and its allowed values. */
export class ConfigError extends Error {
  constructor(field: string, problem: string) {
    super(`config${field === '' ? '' : ` ${field}`}: ${problem}`);
    this.name = 'ConfigError';
  }
}

const FIELDS = [
  'kubernetesVersion',
  'controllers',
  'apiVersions',
  'resyncPeriodMs',
  'terminatedPodGcThreshold',
  'webhookServices',
];

/** Parses a Config, with defaults for missing fields. Throws a ConfigError for an unknown field or an invalid value. */
export function parseConfig(value: unknown = {}): Config {
  const fields = parseFields(value, '', FIELDS);
  return {
    kubernetesVersion: parseRelease(fields['kubernetesVersion']),
    controllers: parseControllers(fields['controllers']),
    apiVersions: parseApiVersions(fields['apiVersions']),
    resyncPeriodMs: parseInteger(
      fields['resyncPeriodMs'] ?? DEFAULT_RESYNC_PERIOD_MS,
      'resyncPeriodMs',
      SHORTEST_RESYNC_MS,
      Number.MAX_SAFE_INTEGER,
    ),
    terminatedPodGcThreshold: parseInteger(
      fields['terminatedPodGcThreshold'] ?? DEFAULT_TERMINATED_PODS,
      'terminatedPodGcThreshold',
      0,
      Number.MAX_SAFE_INTEGER,
    ),
    webhookServices: parseWebhookServices(fields['webhookServices']),
  };
}

/** Parses a Config from JSON, as a function's environment holds it. Throws a ConfigError. */
export function parseConfigText(text: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError('', `must be JSON, not ${text.slice(0, 100)}`);
  }
  return parseConfig(value);
}

function parseRelease(value: unknown = NEWEST_RELEASE): KubernetesRelease {
  if (isKubernetesRelease(value)) return value;
  throw new ConfigError(
    'kubernetesVersion',
    `must be one of ${KUBERNETES_RELEASES.join(', ')}, not ${JSON.stringify(value)}`,
  );
}

function parseControllers(value: unknown): Config['controllers'] {
  const fields = parseFields(value ?? {}, 'controllers', CONTROLLER_NAMES);
  const parsed = CONTROLLER_NAMES.map((name) => [name, parseController(name, fields[name])] as const);
  return Object.fromEntries(parsed) as Record<ControllerName, ControllerConfig>;
}

function parseController(name: ControllerName, value: unknown): ControllerConfig {
  const path = `controllers.${name}`;
  const fields = parseFields(value ?? {}, path, ['enabled', 'workers']);
  return {
    enabled: parseBoolean(fields['enabled'] ?? true, `${path}.enabled`),
    workers: parseInteger(fields['workers'] ?? DEFAULT_WORKERS[name], `${path}.workers`, 1, MAX_WORKERS),
  };
}

function parseApiVersions(value: unknown): Config['apiVersions'] {
  const fields = parseFields(value ?? {}, 'apiVersions');
  return Object.fromEntries(
    Object.entries(fields).map(([version, served]) => [version, parseBoolean(served, `apiVersions.${version}`)]),
  );
}

function parseWebhookServices(value: unknown): Config['webhookServices'] {
  const fields = parseFields(value ?? {}, 'webhookServices');
  return Object.fromEntries(
    Object.entries(fields).map(([service, address]) => [service, parseWebhookService(service, address)]),
  );
}

function parseWebhookService(service: string, address: unknown): string {
  if (!/^[^/\s]+\/[^/\s]+$/.test(service))
    throw new ConfigError('webhookServices', `must name services as NAMESPACE/NAME, not ${JSON.stringify(service)}`);
  if (typeof address === 'string' && isAddress(address)) return address;
  throw new ConfigError(`webhookServices.${service}`, `must be HOST:PORT, not ${JSON.stringify(address)}`);
}

function isAddress(address: string): boolean {
  if (!/^(?:\[[0-9a-fA-F:.]+\]|[^\s/:@?#[\]]+):\d{1,5}$/.test(address)) return false;
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return port >= 1 && port <= HIGHEST_PORT;
}

function parseFields(value: unknown, path: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(path, `must be an object, not ${JSON.stringify(value)}`);
  }
  const unknown = known && Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new ConfigError(path, `has no field ${JSON.stringify(unknown)}; it has ${known?.join(', ')}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function parseBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConfigError(path, `must be true or false, not ${JSON.stringify(value)}`);
}

function parseInteger(value: unknown, path: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new ConfigError(path, `must be an integer from ${least} to ${most}, not ${JSON.stringify(value)}`);
}
