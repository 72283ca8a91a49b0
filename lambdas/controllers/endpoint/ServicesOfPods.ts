import type { Pod, Service } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { ObjectList } from '../../ports/ObjectStore.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import { SharedReads } from '../SharedReads.ts';
import { hasSelector, selectsPod, shouldPodBeInEndpoints, showSame } from './podEndpoint.ts';

/** Opens what the controllers of Endpoints and of EndpointSlices share. */
export function openServicesOfPods({
  ports,
}: {
  readonly ports: { readonly objectStore: ObjectReader };
}): ServicesOfPods {
  return new ServicesOfPods(ports.objectStore);
}

/**
 * Finds the services that a changed pod concerns. A pod that has no address, or whose change endpoints do not show, costs nothing. All others of one batch of changes share one list of the
 * services in their namespace; the controllers of Endpoints and of EndpointSlices share it too.
 */
export class ServicesOfPods {
  readonly #objectStore: ObjectReader;
  readonly #services = new SharedReads<ObjectList<Service>>();
  /** What endpoints show of a change, since several controllers ask about the same one. */
  readonly #shown = new WeakMap<Change, readonly Pod[]>();

  constructor(objectStore: ObjectReader) {
    this.#objectStore = objectStore;
  }

  /** Kubernetes' `GetServicesToUpdateOnPodChange`: the services that select the pod as it was or as it is. */
  ofChange(change: Change): readonly Service[] | Promise<readonly Service[]> {
    const shown = this.#shownBy(change);
    return shown.length === 0 ? [] : this.#selecting(shown, change);
  }

  async #selecting(shown: readonly Pod[], change: Change): Promise<readonly Service[]> {
    const namespace = subjectOf(change).metadata.namespace ?? '';
    const { items } = await this.#services.share(namespace, () =>
      this.#objectStore.list<Service>('services', { namespace }),
    );
    const selects = (service: Service) => shown.some(({ metadata }) => selectsPod(service, metadata.labels));
    return items.filter((service) => hasSelector(service) && selects(service));
  }

  #shownBy(change: Change): readonly Pod[] {
    const known = this.#shown.get(change);
    if (known) return known;
    const shown = podsShown(change);
    this.#shown.set(change, shown);
    return shown;
  }
}

/** The pod as it was and as it is, as far as endpoints show it; nothing if they show the same of both. Pure. */
function podsShown(change: Change): readonly Pod[] {
  const was = shownOf(change.before);
  const is = shownOf(change.after);
  if (was && is) return showSame(was, is) ? [] : [was, is];
  const shown = was ?? is;
  return shown ? [shown] : [];
}

function shownOf(pod: Pod | undefined): Pod | undefined {
  return pod && shouldPodBeInEndpoints(pod, true) ? pod : undefined;
}
