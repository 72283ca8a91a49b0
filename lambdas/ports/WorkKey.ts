/** The controllers, by the names under which queues, metrics and configuration know them. */
export const CONTROLLER_NAMES = [
  'deployment',
  'replicaset',
  'replicationcontroller',
  'pod',
  'garbagecollector',
  'namespace',
  'serviceaccount',
  'resourcequota',
] as const;
export type ControllerName = (typeof CONTROLLER_NAMES)[number];

/**
 * What one sync is about. `name` is the controller's own: an object's name for most; the garbage collector, whose keys concern any resource, writes
 * `resource/name/uid`. Namespaces are also the fair-queue groups.
 */
export interface WorkKey {
  readonly controller: ControllerName;
  readonly namespace: string;
  readonly name: string;
}

/** `deployment:default/web`, unique for each key and parseable, since neither controllers nor namespaces contain `:` or `/`. */
export function encodeWorkKey(key: WorkKey): string {
  return `${key.controller}:${key.namespace}/${key.name}`;
}

/** The key of its encoded form, or `undefined` for a text that is none. */
export function parseWorkKey(text: string): WorkKey | undefined {
  const match = /^([a-z]+):([^/:]*)\/(.+)$/s.exec(text);
  if (!match) return undefined;
  const controller = CONTROLLER_NAMES.find((name) => name === match[1]);
  return controller && { controller, namespace: match[2] ?? '', name: match[3] ?? '' };
}
