import { CONTROLLER_NAMES, type ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import { UsageError } from './UsageError.ts';

/** The `controllers` of a configuration: the ones that are switched off. */
export type SwitchedOff = Readonly<Partial<Record<ControllerName, { readonly enabled: false }>>>;

/**
 * Parses `--controllers`, written as for kube-controller-manager: names, separated by commas. `name` switches a controller on, `-name` off, and `*` stands for all that are not named. A list of `-name` alone means
 * `*,-name`, while kube-controller-manager would run nothing. Throws a UsageError for an unknown name. Pure.
 */
export function parseControllers(text: string): SwitchedOff {
  const items = text.split(',').map((item) => item.trim());
  const unknown = items.find((item) => item !== '*' && !isControllerName(item.replace(/^-/, '')));
  if (unknown !== undefined) {
    const names = CONTROLLER_NAMES.join(', ');
    throw new UsageError(`--controllers: ${JSON.stringify(unknown)} is no controller; there are ${names}`);
  }
  const runsOthers = items.includes('*') || items.every((item) => item.startsWith('-'));
  const off = CONTROLLER_NAMES.filter((name) => items.includes(`-${name}`) || !(runsOthers || items.includes(name)));
  return Object.fromEntries(off.map((name) => [name, { enabled: false }]));
}

function isControllerName(name: string): boolean {
  return CONTROLLER_NAMES.some((known) => known === name);
}
