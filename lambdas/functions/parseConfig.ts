import { type ControllerRoom, DEFAULT_WORKERS } from '../controllers/ControllerRoom.ts';
import { CONTROLLER_NAMES, type ControllerName, controllerRooms } from '../controllers/controllerRooms.ts';
import { DEFAULT_TERMINATED_PODS } from '../controllers/podgc/decideTerminated.ts';
import { DEFAULT_RESYNC_PERIOD_MS } from './limits.ts';
import {
  parseBoolean,
  parseConfigJson,
  parseFields,
  parseInteger,
  parseServedConfig,
  type ServedConfig,
} from './parseServedConfig.ts';

interface ControllerConfig {
  readonly enabled: boolean;
  /** How many of its keys are synced at a time, in one process; the cloud refuses it (see infra/cdk/parseStackProps.ts). */
  readonly workers: number;
}

/** The configuration of a control plane. */
export interface Config extends ServedConfig {
  readonly controllers: Readonly<Record<ControllerName, ControllerConfig>>;
  /** How often every key is queued even if nothing has changed; milliseconds. */
  readonly resyncPeriodMs: number;
  /** How many pods that have ended stay, as kube-controller-manager's `--terminated-pod-gc-threshold`; 0: all. */
  readonly terminatedPodGcThreshold: number;
}

const MAX_WORKERS = 1_000;
const SHORTEST_RESYNC_MS = 1_000;

const FIELDS = [
  'kubernetesVersion',
  'controllers',
  'apiVersions',
  'resyncPeriodMs',
  'terminatedPodGcThreshold',
  'webhookServices',
  'serviceClusterIpRange',
  'serviceNodePortRange',
  'requestLimits',
];

/** Parses a Config, with defaults for missing fields. Throws a ConfigError for an unknown field or an invalid value. */
export function parseConfig(value: unknown = {}): Config {
  const fields = parseFields(value, '', FIELDS);
  return {
    ...parseServedConfig(fields),
    controllers: parseControllers(fields['controllers']),
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
  };
}

/** Parses a Config from JSON, as a function's environment holds it. Throws a ConfigError. */
export function parseConfigText(text: string): Config {
  return parseConfig(parseConfigJson(text));
}

/** Returns what the configuration says of a controller; `undefined` for a name that it does not know. */
export function controllerConfig({ controllers }: Config, name: string): ControllerConfig | undefined {
  return Object.hasOwn(controllers, name) ? controllers[name as ControllerName] : undefined;
}

function parseControllers(value: unknown): Config['controllers'] {
  const fields = parseFields(value ?? {}, 'controllers', CONTROLLER_NAMES);
  const parsed = controllerRooms.map((room) => [room.name, parseController(room, fields[room.name])] as const);
  return Object.fromEntries(parsed) as Record<ControllerName, ControllerConfig>;
}

function parseController({ name, workers = DEFAULT_WORKERS }: ControllerRoom, value: unknown): ControllerConfig {
  const path = `controllers.${name}`;
  const fields = parseFields(value ?? {}, path, ['enabled', 'workers']);
  return {
    enabled: parseBoolean(fields['enabled'] ?? true, `${path}.enabled`),
    workers: parseInteger(fields['workers'] ?? workers, `${path}.workers`, 1, MAX_WORKERS),
  };
}
