import { isAbsolute, resolve } from 'node:path';
import type { Config } from '../../lambdas/functions/parseConfig.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { ConfigError } from '../../lambdas/functions/parseServedConfig.ts';
import { isKubernetesRelease, KUBERNETES_RELEASES } from '../../lambdas/objects/KubernetesRelease.ts';
import { CONTROLLER_NAMES } from '../../lambdas/controllers/controllerRooms.ts';
import type { NodeSpec } from '../../lambdas/functions/resync/simulatedNode.ts';
import type { ClusterOptions } from './ClusterOptions.ts';
import { BEHAVIOUR_FIELDS, behaviourProblems } from './behaviourProblems.ts';
import type { PodBehaviourRule } from './PodBehaviour.ts';

const OPTION_NAMES = [
  'clock',
  'version',
  'startTime',
  'dataDir',
  'seed',
  'nodes',
  'pods',
  'controllers',
  'terminatedPodGcThreshold',
  'rbac',
  'port',
  'quietMs',
  'webhookServices',
  'log',
] as const satisfies readonly (keyof ClusterOptions)[];

const RULE_FIELDS = ['image', 'labels', 'namespace', 'behave'];
const NODE_FIELDS = ['name', 'labels', 'taints', 'capacity', 'unschedulable', 'images'];
const MAX_NODES = 10_000;
const HIGHEST_PORT = 65_535;
const DEFAULT_QUIET_MS = 20;

/** The options, validated and with defaults. */
export interface ParsedClusterOptions {
  readonly isVirtual: boolean;
  readonly startMs: number | undefined;
  /** Absolute. */
  readonly dataDir: string | undefined;
  readonly seed: number | undefined;
  readonly nodes: number | readonly NodeSpec[] | undefined;
  readonly pods: readonly PodBehaviourRule[];
  readonly config: Config;
  readonly rbac: boolean;
  readonly port: number;
  readonly quietMs: number;
  readonly log: ClusterOptions['log'];
}

/** Validates the options and adds defaults. Throws a TypeError that names the option and the values that it accepts. Pure. */
export function parseClusterOptions(options: ClusterOptions): ParsedClusterOptions {
  checkFields('', options, OPTION_NAMES);
  const { clock = 'real', startTime, dataDir, seed, nodes, pods = [], controllers = true, rbac = false } = options;
  if (clock !== 'real' && clock !== 'virtual') refuse('clock', 'must be "real" or "virtual"', clock);
  if (startTime !== undefined && clock === 'real') refuse('startTime', 'needs clock: "virtual"', startTime);
  if (dataDir !== undefined && (typeof dataDir !== 'string' || dataDir === ''))
    refuse('dataDir', 'must name a directory', dataDir);
  if (seed !== undefined && !Number.isSafeInteger(seed)) refuse('seed', 'must be an integer', seed);
  if (!Array.isArray(pods)) refuse('pods', 'must be a list of rules', pods);
  pods.forEach((rule, index) => checkRule(`pods[${index}]`, rule));
  checkNodes(nodes);
  if (typeof rbac !== 'boolean') refuse('rbac', 'must be true or false', rbac);
  return {
    isVirtual: clock === 'virtual',
    startMs: startTime === undefined ? undefined : parseTime(startTime),
    dataDir: dataDir === undefined || isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    seed,
    nodes,
    pods,
    config: configOf(controllers, options),
    rbac,
    port: integer('port', options.port ?? 0, HIGHEST_PORT),
    quietMs: integer('quietMs', options.quietMs ?? DEFAULT_QUIET_MS, Number.MAX_SAFE_INTEGER),
    log: options.log,
  };
}

function refuse(option: string, problem: string, value: unknown): never {
  throw new TypeError(`startCluster: ${option} ${problem}, not ${JSON.stringify(value) ?? String(value)}`);
}

function checkFields(option: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(option === '' ? 'the options' : option, 'must be an object', value);
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const place = option === '' ? 'there is no option' : `${option} has no field`;
  throw new TypeError(`startCluster: ${place} ${JSON.stringify(unknown)}; there are ${known.join(', ')}`);
}

function integer(option: string, value: number, most: number): number {
  if (!Number.isSafeInteger(value) || value < 0 || value > most)
    refuse(option, `must be an integer from 0${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`, value);
  return value;
}

function parseTime(time: string | Date): number {
  const ms = new Date(time).getTime();
  if (Number.isNaN(ms)) refuse('startTime', 'must be a date, such as 2026-01-01T00:00:00Z', time);
  return ms;
}

function checkNodes(nodes: unknown): void {
  if (nodes === undefined) return;
  if (typeof nodes === 'number') {
    integer('nodes', nodes, MAX_NODES);
    return;
  }
  if (!Array.isArray(nodes)) refuse('nodes', 'must be a number, or a list of nodes', nodes);
  for (const [index, node] of nodes.entries()) {
    checkFields(`nodes[${index}]`, node, NODE_FIELDS);
    const { images = [] } = node as { readonly images?: unknown };
    if (!Array.isArray(images) || images.some((one) => typeof one !== 'string'))
      refuse(`nodes[${index}].images`, 'must be a list of names of images', images);
  }
}

/** The simulation ignores an invalid annotation. An invalid rule is a mistake in the test, so it is refused. */
function checkRule(option: string, rule: PodBehaviourRule): void {
  checkFields(option, rule, RULE_FIELDS);
  const { image, labels = {}, behave } = rule;
  if (image !== undefined && typeof image !== 'string' && !(image instanceof RegExp))
    refuse(`${option}.image`, 'must be an image`s name or a RegExp', image);
  if (typeof labels !== 'object' || labels === null) refuse(`${option}.labels`, 'must be an object', labels);
  checkFields(`${option}.behave`, behave, BEHAVIOUR_FIELDS);
  for (const { field, wanted, value } of behaviourProblems(behave))
    refuse(`${option}.behave.${field}`, `must be ${wanted}`, value);
}

function configOf(
  controllers: NonNullable<ClusterOptions['controllers']>,
  { version, webhookServices, terminatedPodGcThreshold }: ClusterOptions,
): Config {
  if (typeof controllers !== 'boolean') checkFields('controllers', controllers, CONTROLLER_NAMES);
  const enabled = CONTROLLER_NAMES.map((name) => {
    const isOn = typeof controllers === 'boolean' ? controllers : (controllers[name] ?? true);
    if (typeof isOn !== 'boolean') refuse(`controllers.${name}`, 'must be true or false', isOn);
    return [name, { enabled: isOn }] as const;
  });
  if (version !== undefined && !isKubernetesRelease(version))
    refuse('version', `must be one of ${KUBERNETES_RELEASES.join(', ')}`, version);
  try {
    return parseConfig({
      kubernetesVersion: version,
      controllers: Object.fromEntries(enabled),
      webhookServices,
      terminatedPodGcThreshold,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new TypeError(error.message.replace(/^config /, 'startCluster: '), { cause: error });
  }
}
