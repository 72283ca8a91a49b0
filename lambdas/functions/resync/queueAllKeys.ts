import type { Controller } from '../../controllers/Controller.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ListOptions } from '../../ports/ObjectStore.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { mergeKeys } from '../enqueue/mergeKeys.ts';
import { spreadDelayMs } from './spreadDelayMs.ts';

const PAGE_SIZE = 500;

export interface QueueAllDependencies {
  readonly ports: Pick<Ports, 'objectStore' | 'workQueue'>;
  readonly controllers: readonly Controller[];
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** Asks for every key, or for those that changes of the `lost` resources could concern. */
export interface ResyncAll {
  readonly what: 'all';
  /** The resources of which changes may have been missed; absent: any. */
  readonly lost?: readonly GroupResource[];
  /** Where an earlier run stopped. */
  readonly from?: { readonly resource: GroupResource; readonly after?: NonNullable<ListOptions['after']> };
  /** The keys are sent with delays, so that others do not wait behind them, after so many that earlier runs sent. Absent: all at once. A release that does not know it sends all at once. */
  readonly spread?: { readonly sent: number };
}

export interface QueuedAll {
  readonly queued: number;
  /** What is left, if the run stopped before the end. */
  readonly rest?: ResyncAll;
  /** Why it stopped, unless its time was over. */
  readonly error?: string;
}

/**
 * Queues the keys of all objects, resource by resource and page by page, as long as `mayGoOn`. Each is in the queue when this ends, also if it is for later: no process has to live on to send it. Lists each resource once, even if several controllers
 * have keys for it. Throws if not even the first page succeeds.
 */
export async function queueAllKeys(
  { ports, controllers, log }: QueueAllDependencies,
  request: ResyncAll,
  mayGoOn: () => boolean = () => true,
): Promise<QueuedAll> {
  const { lost, from, spread } = request;
  const asked = lost ? controllers.filter((controller) => watchesAny(controller, lost)) : controllers;
  const listed = await Promise.all(
    asked.map(async (controller) => [controller, await resourcesOf(controller)] as const),
  );
  const resources = [...new Set(listed.flatMap(([, names]) => names))];
  // If the resource is not served any more, the run begins again.
  const first = Math.max(0, from ? resources.indexOf(from.resource) : 0);
  let queued = 0;
  for (const resource of resources.slice(first)) {
    const concerned = listed.flatMap(([controller, names]) => (names.includes(resource) ? [controller] : []));
    let after = resource === from?.resource ? from.after : undefined;
    do {
      const sent = spread && spread.sent + queued;
      const rest = {
        ...request,
        from: { resource, ...(after && { after }) },
        ...(sent !== undefined && { spread: { sent } }),
      };
      if (!mayGoOn()) return { queued, rest };
      try {
        const page = await ports.objectStore.list(resource, { limit: PAGE_SIZE, ...(after && { after }) });
        queued += await queueKeys(
          ports,
          keysOf(concerned, page.items, (controller, object) => keysOfOne(controller, object, resource, lost, log)),
          sent,
        );
        after = page.more ? placeOf(page.items.at(-1)) : undefined;
      } catch (error) {
        if (queued === 0) throw error;
        return { queued, rest, error: String(error) };
      }
    } while (after);
  }
  return { queued };
}

function keysOf(
  controllers: readonly Controller[],
  objects: readonly KubernetesObject[],
  ask: (controller: Controller, object: KubernetesObject) => readonly WorkKey[],
): readonly WorkKey[] {
  return objects.flatMap((object) => controllers.flatMap((controller) => ask(controller, object)));
}

/** An object that breaks a controller has no keys there, and is left alone: without the keys of all others, no server would start. */
function keysOfOne(
  controller: Controller,
  object: KubernetesObject,
  resource: GroupResource,
  lost: ResyncAll['lost'],
  log: QueueAllDependencies['log'],
): readonly WorkKey[] {
  try {
    return controller.keysToResync(object, resource, lost);
  } catch (error) {
    const { namespace = '', name } = object.metadata;
    const place = { resource, namespace, name, controller: controller.name };
    log({ level: 'error', msg: 'resync', ...place, error: String(error) });
    return [];
  }
}

async function resourcesOf({ resources, customResources }: Controller): Promise<readonly GroupResource[]> {
  return customResources ? [...resources, ...(await customResources())] : resources;
}

/** Queues each key once: now, or spread over time as those that come after `sent` others. Resolves to their number. */
export async function queueKeys(
  { workQueue }: Pick<Ports, 'workQueue'>,
  keys: readonly WorkKey[],
  sent?: number,
): Promise<number> {
  const merged = mergeKeys(keys.map((key) => ({ key })));
  const timed = sent === undefined ? merged : merged.map((one, at) => ({ ...one, delayMs: spreadDelayMs(sent + at) }));
  if (timed.length > 0) await workQueue.send(timed);
  return timed.length;
}

function watchesAny({ watches, resources }: Controller, lost: readonly GroupResource[]): boolean {
  return lost.some((resource) => watches.includes(resource) || resources.includes(resource));
}

function placeOf(object: KubernetesObject | undefined) {
  return object && { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}
