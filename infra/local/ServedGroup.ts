import type { ChangeStream } from '../../lambdas/adapters/embedded/ChangeStream.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { Ports } from '../../lambdas/ports/Ports.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import type { ServeAction } from '../../lambdas/rest/request/ResourceRequest.ts';

/** A group of the API beside the usual ones. */
export interface ServedGroup {
  readonly entries: readonly ResourceEntry[];
  /** What answers the actions of its resources. */
  readonly actions: Readonly<Record<string, ServeAction>>;
  /** A simulated pod with what rules add to it. */
  readonly scriptedPod: (pod: Pod) => Pod;
  /** Called once, before the first request and the first sync. */
  attach(host: { readonly ports: Ports; readonly registry: Registry; readonly stream: ChangeStream }): Promise<void>;
}
