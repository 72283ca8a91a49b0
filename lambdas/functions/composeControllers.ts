import type { Controller } from '../controllers/Controller.ts';
import { createRegistry } from '../registry/createRegistry.ts';
import type { Registry } from '../registry/Registry.ts';
import type { ResourceEntry } from '../registry/ResourceEntry.ts';
import { resourceEntries } from '../registry/resourceEntries.ts';
import { parseConfigText } from './parseConfigText.ts';
import { servedEntries } from './servedEntries.ts';
import { type ControllerParts, createControllers } from './sync/createControllers.ts';

/** How long a request to the API goes on writing in the cloud; milliseconds. */
export const REQUEST_LIFETIME_MS = 30_000;

export interface ComposedControllers {
  readonly entries: readonly ResourceEntry[];
  readonly registry: Registry;
  readonly controllers: readonly Controller[];
}

/** The controllers that the stack's configuration asks for, over the given ports. Throws what `parseConfigText` does. */
export function composeControllers({
  ports,
  config,
  log,
}: Pick<ControllerParts, 'ports' | 'log'> & { readonly config: string }): ComposedControllers {
  const parsed = parseConfigText(config);
  const entries = servedEntries(resourceEntries, parsed);
  const registry = createRegistry({ ...ports, entries });
  const requestLifetimeMs = REQUEST_LIFETIME_MS;
  const controllers = createControllers({
    ports,
    registry,
    entries,
    config: parsed,
    requestLifetimeMs,
    // Who watches a pod's events is told its story; a ReplicaSet's are hundreds, and all alike.
    podEventsInTurn: true,
    log,
  });
  return { entries, registry, controllers };
}
