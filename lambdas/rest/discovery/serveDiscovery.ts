import {
  type AggregatedVersion,
  aggregatedContentType,
  aggregatedDiscovery,
  negotiateDiscovery,
} from './aggregatedDiscovery.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './discoveryDocuments.ts';
import { respondValue, etagOf, isUnchanged } from '../response/respond.ts';
import type { DiscoveredMetrics } from '../metrics/DiscoveredMetrics.ts';
import type { ServedGroup } from '../ServedGroup.ts';

/** What discovery describes. */
interface Discovered {
  readonly served: readonly ServedGroup[];
  readonly metrics: Pick<DiscoveredMetrics, 'documents'>;
}

/** Answers paths below `/api` and `/apis` that name no resource. `undefined` for a group or version that is not served. */
export async function serveDiscovery(discovered: Discovered, raw: Request, url: URL): Promise<Response | undefined> {
  const [prefix, ...parts] = url.pathname.split('/').filter(Boolean);
  if (parts.length === 0) return serveRoot(discovered, raw, url, prefix === 'api');
  const { served } = discovered;
  const document = prefix === 'api' ? coreDocument(served, parts) : groupDocument(served, parts);
  return document && respondValue(raw, document);
}

function coreDocument(served: readonly ServedGroup[], [version = '']: readonly string[]): object | undefined {
  return apiResourceList(served, '', version);
}

function groupDocument(served: readonly ServedGroup[], [group = '', version]: readonly string[]): object | undefined {
  return version === undefined ? apiGroup(served, group) : apiResourceList(served, group, version);
}

async function serveRoot(discovered: Discovered, raw: Request, url: URL, core: boolean): Promise<Response> {
  const { served } = discovered;
  const form = negotiateDiscovery(raw.headers.get('accept'));
  if (form !== 'plain') return serveAggregated(discovered, raw, core, form);
  const response = respondValue(raw, core ? apiVersions(url.host) : apiGroupList(served));
  response.headers.set('Vary', 'Accept');
  return response;
}

async function serveAggregated(
  { served, metrics }: Discovered,
  raw: Request,
  core: boolean,
  form: AggregatedVersion,
): Promise<Response> {
  const text = JSON.stringify(aggregatedDiscovery(served, core ? new Map() : await metrics.documents(), core, form));
  const etag = await etagOf(text);
  const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
  if (isUnchanged(raw, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, 'Content-Type': aggregatedContentType(form) } });
}
