/**
 * The subject of one sync. Each controller decides what `name` is: for most it is an object's name; the garbage collector, whose keys concern any
 * resource, writes `resource/name/uid`, and the Job controller writes `pods/name` for a pod that may have no Job any more. Namespaces are also the groups of the fair queue.
 */
export interface WorkKey {
  /** The controller's name: lower case letters. */
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
}

/** Writes a key as text: `deployment:default/web`. The text is unique and can be parsed, since neither controllers nor namespaces contain `:` or `/`. */
export function encodeWorkKey(key: WorkKey): string {
  return `${key.controller}:${key.namespace}/${key.name}`;
}

/** Reads the text form of a key; `undefined` for any other text. */
export function parseWorkKey(text: string): WorkKey | undefined {
  const match = /^([a-z]+):([^/:]*)\/(.+)$/s.exec(text);
  if (!match) return undefined;
  const [, controller = '', namespace = '', name = ''] = match;
  return { controller, namespace, name };
}
