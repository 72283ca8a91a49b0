import type { ApiDependencies } from '../request/ResourceRequest.ts';
import type { ListedMetric } from './discoverMetrics.ts';
import { METRICS_GROUPS } from './metricsGroups.ts';

/** kube-aggregator, too, asks metrics adapters only so often what they serve. */
const REMEMBER_MS = 60_000;

/** What the aggregated document has of a group of metrics. It is stale, and empty, if its metrics could not be listed, like a group whose server does not answer. */
export interface MetricDocument {
  readonly resources: readonly object[];
  readonly freshness: 'Current' | 'Stale';
}

/** The groups of metrics, by their names. */
export type MetricDocuments = ReadonlyMap<string, MetricDocument>;

interface Parts extends Pick<ApiDependencies, 'registry' | 'clock'> {
  readonly logError: (message: string, cause: unknown) => void;
}

const STALE: MetricDocument = { resources: [], freshness: 'Stale' };

/**
 * The metrics that the aggregated document of discovery lists. Every `kubectl` that starts anew asks for that document, and objects are read for it: so they are read once a minute at most, and no more
 * than `MAX_DESCRIBED_OBJECTS` of a resource. A group version's own list is always new. Never rejects: what cannot be listed must not keep clients from all other groups.
 */
export class DiscoveredMetrics {
  readonly #parts: Parts;
  #known: { readonly readAtMs: number; readonly documents: Promise<MetricDocuments> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  documents(): Promise<MetricDocuments> {
    const nowMs = this.#parts.clock.steadyMs();
    if (!this.#known || nowMs - this.#known.readAtMs >= REMEMBER_MS)
      this.#known = { readAtMs: nowMs, documents: this.#read() };
    return this.#known.documents;
  }

  async #read(): Promise<MetricDocuments> {
    const groups = METRICS_GROUPS.map(async ({ group }) => [group, await this.#documentOf(group)] as const);
    return new Map(await Promise.all(groups));
  }

  async #documentOf(group: string): Promise<MetricDocument> {
    try {
      const { listMetrics } = await import('./discoverMetrics.ts');
      return { resources: documentsOf(await listMetrics(this.#parts, group)), freshness: 'Current' };
    } catch (error) {
      this.#parts.logError(`the metrics of ${group} could not be listed`, error);
      // The next client tries again.
      this.#known = undefined;
      return STALE;
    }
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
