import {
  isKubernetesRelease,
  KUBERNETES_RELEASES,
  type KubernetesRelease,
  NEWEST_RELEASE,
} from '../objects/KubernetesRelease.ts';
import type { RequestRate } from '../objects/tokenBucket.ts';
import type { RequestLimitSettings } from '../rest/flowcontrol/RequestLimitSettings.ts';
import { parseClusterIpRanges, parseNodePortRange, type ServiceNetwork } from '../registry/services/ServiceNetwork.ts';

/** What the configuration says of the API: all that a function without controllers needs of it. */
export interface ServedConfig {
  /** The release of Kubernetes whose API is served. */
  readonly kubernetesVersion: KubernetesRelease;
  /** Says for an API version, such as `autoscaling/v1` or `v1`, whether it is served. A version that is not named here is served. */
  readonly apiVersions: Readonly<Record<string, boolean>>;
  /** The addresses of services that webhooks name: by `namespace/name`, as `127.0.0.1:9443`. */
  readonly webhookServices: Readonly<Record<string, string>>;
  /** Where Services get their addresses and node ports from. */
  readonly serviceNetwork: ServiceNetwork;
  /** Whether pods get the service account `default`: only where a controller makes one in each namespace. */
  readonly admitsServiceAccounts: boolean;
  /** How many requests a second users and namespaces have. Absent: any number. */
  readonly requestLimits: RequestLimitSettings | undefined;
}

const HIGHEST_PORT = 65_535;
/** What API Gateway lets through in a region, unless AWS has raised it. */
const MAX_PER_SECOND = 10_000;
const MAX_BURST = 100_000;

/** The configuration is invalid. The message names the field and its allowed values. */
export class ConfigError extends Error {
  constructor(field: string, problem: string) {
    super(`config${field === '' ? '' : ` ${field}`}: ${problem}`);
    this.name = 'ConfigError';
  }
}

/** Parses what a configuration says of the API. Its other fields are for `parseConfig`. Throws a ConfigError. */
export function parseServedConfig(fields: Readonly<Record<string, unknown>>): ServedConfig {
  return {
    kubernetesVersion: parseRelease(fields['kubernetesVersion']),
    apiVersions: parseApiVersions(fields['apiVersions']),
    webhookServices: parseWebhookServices(fields['webhookServices']),
    serviceNetwork: parseNetwork(fields),
    admitsServiceAccounts: isSwitchedOn(fields['controllers'], 'serviceaccount'),
    requestLimits: parseRequestLimits(fields['requestLimits']),
  };
}

/** Parses what a configuration, as a function's environment holds it, says of the API. Throws a ConfigError. */
export function parseServedConfigText(text: string): ServedConfig {
  return parseServedConfig(parseFields(parseConfigJson(text), ''));
}

/** Parses the JSON of a configuration. Throws a ConfigError. */
export function parseConfigJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('', `must be JSON, not ${text.slice(0, 100)}`);
  }
}

function isSwitchedOn(controllers: unknown, name: string): boolean {
  const path = `controllers.${name}`;
  const fields = parseFields(parseFields(controllers ?? {}, 'controllers')[name] ?? {}, path);
  return parseBoolean(fields['enabled'] ?? true, `${path}.enabled`);
}

function parseNetwork(fields: Readonly<Record<string, unknown>>): ServiceNetwork {
  const parse = <T>(field: string, parseText: (text?: string) => T): T => {
    const value = fields[field];
    if (value !== undefined && typeof value !== 'string')
      throw new ConfigError(field, `must be a text, not ${JSON.stringify(value)}`);
    try {
      return parseText(value);
    } catch (error) {
      throw error instanceof TypeError ? new ConfigError(field, error.message) : error;
    }
  };
  return {
    ranges: parse('serviceClusterIpRange', parseClusterIpRanges),
    nodePorts: parse('serviceNodePortRange', parseNodePortRange),
  };
}

function parseRequestLimits(value: unknown): RequestLimitSettings | undefined {
  if (value === undefined) return undefined;
  const { user, namespace } = parseFields(value, 'requestLimits', ['user', 'namespace']);
  if (user === undefined && namespace === undefined)
    throw new ConfigError('requestLimits', 'must have user, namespace or both');
  return {
    ...(user !== undefined && { user: parseRate(user, 'requestLimits.user') }),
    ...(namespace !== undefined && { namespace: parseRate(namespace, 'requestLimits.namespace') }),
  };
}

/** Clients begin with a burst, to learn what the API serves. Unless it is named, it is what comes in two seconds. */
function parseRate(value: unknown, path: string): RequestRate {
  const fields = parseFields(value, path, ['perSecond', 'burst']);
  const perSecond = parseInteger(fields['perSecond'], `${path}.perSecond`, 1, MAX_PER_SECOND);
  const burst = parseInteger(fields['burst'] ?? 2 * perSecond, `${path}.burst`, 1, MAX_BURST);
  return { perSecond, burst };
}

function parseRelease(value: unknown = NEWEST_RELEASE): KubernetesRelease {
  if (isKubernetesRelease(value)) return value;
  throw new ConfigError(
    'kubernetesVersion',
    `must be one of ${KUBERNETES_RELEASES.join(', ')}, not ${JSON.stringify(value)}`,
  );
}

function parseApiVersions(value: unknown): ServedConfig['apiVersions'] {
  const fields = parseFields(value ?? {}, 'apiVersions');
  return Object.fromEntries(
    Object.entries(fields).map(([version, served]) => [version, parseBoolean(served, `apiVersions.${version}`)]),
  );
}

function parseWebhookServices(value: unknown): ServedConfig['webhookServices'] {
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

export function parseFields(
  value: unknown,
  path: string,
  known?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(path, `must be an object, not ${JSON.stringify(value)}`);
  }
  const unknown = known && Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new ConfigError(path, `has no field ${JSON.stringify(unknown)}; it has ${known?.join(', ')}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

export function parseBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConfigError(path, `must be true or false, not ${JSON.stringify(value)}`);
}

export function parseInteger(value: unknown, path: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new ConfigError(path, `must be an integer from ${least} to ${most}, not ${JSON.stringify(value)}`);
}
