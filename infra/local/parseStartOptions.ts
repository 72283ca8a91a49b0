import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { ConfigError, parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { parseControllers, type SwitchedOff } from './parseControllers.ts';
import { parseDataDir } from './parseDataDir.ts';
import { UsageError } from './UsageError.ts';

const DEFAULT_PORT = 8001;
const HIGHEST_PORT = 65_535;
/** The smallest quota that AWS gives to an account. */
const LEAST_CONCURRENCY = 10;
/** As many as the stack accepts. */
const MOST_NODES = 5_000;

/** The options of the command line. */
export interface StartOptions {
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly ephemeral: boolean;
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
  /** The manifests to apply, as the user named them. */
  readonly filenames: readonly string[];
  /** Where services that webhooks name are: by `namespace/name`. Absent: webhooks name URLs. */
  readonly webhookServices?: Readonly<Record<string, string>>;
}

/** Parses the options of the command line. Throws a UsageError for an unknown option or an invalid value. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const values = parseOptions(args);
  const services = values['webhook-service'];
  const accountConcurrency = parseConcurrency(values['account-concurrency']);
  const api = parseApi(values.api);
  for (const option of ['tls', 'listen'] as const) {
    if (values[option] !== undefined && values['emulate-cloud'])
      throw new UsageError(`--${option} does not go with --emulate-cloud`);
  }
  for (const option of ['account-concurrency', 'api'] as const) {
    if (values[option] !== undefined && !values['emulate-cloud']) {
      throw new UsageError(`--${option} needs --emulate-cloud`);
    }
  }
  return {
    port: parsePort(values.port),
    dataDir: parseDataDir(values['data-dir']),
    ephemeral: values.ephemeral ?? false,
    rbac: values.rbac ?? false,
    ...(values.tls === true && { tls: true }),
    ...(values.listen !== undefined && { listen: parseListen(values.listen, values) }),
    emulateCloud: values['emulate-cloud'] ?? false,
    ...(accountConcurrency !== undefined && { accountConcurrency }),
    ...(api !== undefined && { api }),
    ...(values.nodes !== undefined && { nodes: parseNodes(values.nodes) }),
    ...(values.controllers !== undefined && { controllers: parseControllers(values.controllers) }),
    filenames: values.filename ?? [],
    ...(services && { webhookServices: parseWebhookServices(services) }),
  };
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

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        ephemeral: { type: 'boolean' },
        rbac: { type: 'boolean' },
        tls: { type: 'boolean' },
        listen: { type: 'string' },
        'emulate-cloud': { type: 'boolean' },
        'account-concurrency': { type: 'string' },
        api: { type: 'string' },
        nodes: { type: 'string' },
        controllers: { type: 'string' },
        filename: { type: 'string', multiple: true, short: 'f' },
        'webhook-service': { type: 'string', multiple: true },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
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

function parsePort(value: string | undefined): number {
  if (value === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= HIGHEST_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${HIGHEST_PORT}, not ${JSON.stringify(value)}`);
}

function parseNodes(value: string): number {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (count <= MOST_NODES) return count;
  throw new UsageError(`--nodes must be a number from 0 to ${MOST_NODES}, not ${JSON.stringify(value)}`);
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
