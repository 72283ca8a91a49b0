import type { Manifest } from './readManifests.ts';
import { UsageError } from './UsageError.ts';

/** What kubectl remembers an apply by, so that a later `kubectl apply` can tell what was taken out of the manifest. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Applied {
  /** `deployment.apps/web created`, as kubectl would say it. */
  readonly line: string;
  /** Where the object is: `/apis/apps/v1/namespaces/default/deployments/web`. */
  readonly path: string;
}

interface Discovered {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/**
 * Creates the object through the API of the server at `url`, or, if it is there, patches it with the manifest; what the manifest does not name stays
 * as it is. Throws a UsageError with the server's own words if it refuses.
 */
export async function applyManifest(url: string, manifest: Manifest): Promise<Applied> {
  const { collection, label } = await placeOf(url, manifest);
  const { name } = manifest.metadata;
  const path = `${collection}/${encodeURIComponent(name)}`;
  const body = JSON.stringify(withLastApplied(manifest));
  const created = await send(url + collection, 'POST', 'application/json', body);
  if (created.ok) return { line: `${label}/${name} created`, path };
  if (created.status !== 409) throw await refusal(label, name, created);
  const patched = await send(url + path, 'PATCH', 'application/strategic-merge-patch+json', body);
  if (!patched.ok) throw await refusal(label, name, patched);
  return { line: `${label}/${name} configured`, path };
}

async function placeOf(url: string, { apiVersion, kind, metadata }: Manifest) {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const discovered = await fetch(url + root);
  const { resources = [] } = (discovered.ok ? await discovered.json() : {}) as Discovered;
  const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (!resource)
    throw new UsageError(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  const scope = resource.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}` : '';
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const singular = resource.singularName === '' ? kind.toLowerCase() : resource.singularName;
  return { collection: `${root}${scope}/${resource.name}`, label: singular + group };
}

function withLastApplied(manifest: Manifest): Manifest {
  const lastApplied = `${JSON.stringify(manifest)}\n`;
  const annotations = { ...manifest.metadata.annotations, [LAST_APPLIED]: lastApplied };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

async function send(url: string, method: string, contentType: string, body: string): Promise<Response> {
  return await fetch(url, { method, headers: { 'Content-Type': contentType }, body });
}

async function refusal(label: string, name: string, response: Response): Promise<UsageError> {
  const { message = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string };
  return new UsageError(`${label}/${name} was refused: ${message}`);
}
