import type { ApiDependencies } from '../request/ResourceRequest.ts';
import type { ListedMetric } from './discoverMetrics.ts';
import { METRICS_GROUPS } from './metricsGroups.ts';

/** kube-aggregator, too, asks metrics adapters only so often what they serve. */
const REMEMBER_MS = 60_000;

/** The resources of each group of metrics, as the aggregated document has them. */
export type MetricDocuments = ReadonlyMap<string, readonly object[]>;

type Parts = Pick<ApiDependencies, 'registry' | 'clock'>;

/**
 * The metrics that the aggregated document of discovery lists. Every `kubectl` that starts anew asks for that document, and all objects that may have metrics are read for it: so they are read once a minute at most.
 * A group version's own list is always new.
 */
export class DiscoveredMetrics {
  readonly #parts: Parts;
  #known: { readonly readAtMs: number; readonly documents: Promise<MetricDocuments> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async documents(): Promise<MetricDocuments> {
    const nowMs = this.#parts.clock.steadyMs();
    if (!this.#known || nowMs - this.#known.readAtMs >= REMEMBER_MS)
      this.#known = { readAtMs: nowMs, documents: this.#read() };
    try {
      return await this.#known.documents;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  async #read(): Promise<MetricDocuments> {
    const { listMetrics } = await import('./discoverMetrics.ts');
    const read = METRICS_GROUPS.map(async ({ group }) => [group, documentsOf(await listMetrics(this.#parts, group))]);
    return new Map((await Promise.all(read)) as [string, object[]][]);
  }
}

/** `pods/rps` is the subresource `rps` of a resource `pods`, which is not served itself and so has no kind. */
function documentsOf(metrics: readonly ListedMetric[]): object[] {
  const names = new Set(metrics.map(({ name }) => name.split('/')[0] ?? ''));
  return [...names].map((resource) => documentOf(resource, metrics));
}

function documentOf(resource: string, metrics: readonly ListedMetric[]): object {
  const own = metrics.find(({ name }) => name === resource);
  const others = metrics.filter(({ name }) => name.startsWith(`${resource}/`));
  const { namespaced } = own ?? others[0] ?? { namespaced: true };
  const subresources = others.map(({ name, kind, verbs }) => ({
    subresource: name.slice(resource.length + 1),
    responseKind: { group: '', version: '', kind },
    verbs,
  }));
  return {
    resource,
    responseKind: { group: '', version: '', kind: own?.kind ?? '' },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: '',
    verbs: own?.verbs ?? [],
    ...(subresources.length > 0 && { subresources }),
  };
}
