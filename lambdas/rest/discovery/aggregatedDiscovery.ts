import { aliasesOf, sortedVerbs, subresourcesOf } from './discoveryDocuments.ts';
import type { MetricDocuments } from '../metrics/DiscoveredMetrics.ts';
import { accepts, parseAccept } from '../response/negotiate.ts';
import type { ServedGroup, ServedResource } from '../ServedGroup.ts';

const GROUP = 'apidiscovery.k8s.io';
const VERSIONS = ['v2', 'v2beta1'] as const;
export type AggregatedVersion = (typeof VERSIONS)[number];

/**
 * Chooses the form of discovery that the client prefers: a version of the aggregated document, or `plain`. The answer's content type must name the aggregated
 * form, because a client reads any other answer as the plain one.
 */
export function negotiateDiscovery(accept: string | null): AggregatedVersion | 'plain' {
  for (const clause of parseAccept(accept ?? '')) {
    if (!accepts(clause, 'json')) continue;
    const as = clause.parameters.get('as');
    if (as === undefined) return 'plain';
    const version = VERSIONS.find((one) => one === clause.parameters.get('v'));
    if (as === 'APIGroupDiscoveryList' && clause.parameters.get('g') === GROUP && version) return version;
  }
  return 'plain';
}

/** The content type of the aggregated document, parameters in Kubernetes' order. */
export function aggregatedContentType(version: AggregatedVersion): string {
  return `application/json;g=${GROUP};v=${version};as=APIGroupDiscoveryList`;
}

/** The aggregated document, with these metrics: everything below `/api` (the core group) or `/apis` (all other groups). */
export function aggregatedDiscovery(
  groups: readonly ServedGroup[],
  metrics: MetricDocuments,
  core: boolean,
  version: AggregatedVersion,
): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${GROUP}/${version}`,
    metadata: {},
    items: groups.filter(({ group }) => (group === '') === core).map((one) => groupDocument(one, metrics)),
  };
}

function groupDocument({ group, versions }: ServedGroup, metrics: MetricDocuments): object {
  return {
    metadata: { ...(group !== '' && { name: group }) },
    versions: versions.map(({ version, resources }) => ({
      version,
      ...(metrics.get(group) ?? { resources: resources.map(resourceDocument), freshness: 'Current' }),
    })),
  };
}

function resourceDocument(resource: ServedResource): object {
  const { entry, group, version } = resource;
  const scope = entry.namespaced ? 'Namespaced' : 'Cluster';
  const subresources = subresourcesOf(resource).map(({ name, verbs, ...kind }) => ({
    subresource: name,
    responseKind: kind,
    verbs,
  }));
  return {
    resource: entry.plural,
    responseKind: { group, version: version.version, kind: entry.kind },
    scope,
    singularResource: entry.singular,
    verbs: sortedVerbs(entry),
    ...aliasesOf(resource),
    ...(subresources.length > 0 && { subresources }),
  };
}
