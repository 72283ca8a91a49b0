import type { Manifest } from './readManifests.ts';
import { UsageError } from './UsageError.ts';
import { isDefinition, whenEstablished } from './whenEstablished.ts';
import type { SendRequest } from './SendRequest.ts';

/** kubectl's record of the applied manifest. A later `kubectl apply` compares with it to find what was removed from the manifest. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Applied {
  /** `deployment.apps/web created`, as kubectl prints it. */
  readonly line: string;
  /** The object's path: `/apis/apps/v1/namespaces/default/deployments/web`. */
  readonly path: string;
  /** The object as the API returned it. */
  readonly object: unknown;
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
 * Creates the object, in `inNamespace` if it names no namespace, through the API (a definition is then waited for until it is established), or patches it with the manifest if it exists; fields that the manifest does not name keep their values. As with
 * kubectl, a field that the kind does not have is refused. Throws a UsageError with the server's message if the server refuses; its `cause` is the Status.
 */
export async function applyManifest(
  sendRequest: SendRequest,
  manifest: Manifest,
  inNamespace = 'default',
): Promise<Applied> {
  const send = (path: string, method: string, contentType: string, body: string) =>
    sendRequest(`${path}?fieldValidation=Strict`, { method, headers: { 'Content-Type': contentType }, body });
  const { collection, label } = await placeOf(sendRequest, manifest, inNamespace);
  const { name } = manifest.metadata;
  const path = `${collection}/${encodeURIComponent(name)}`;
  const body = JSON.stringify(withLastApplied(manifest));
  const created = await send(collection, 'POST', 'application/json', body);
  if (created.ok) {
    if (isDefinition(manifest)) await whenEstablished(sendRequest, path);
    return { line: `${label}/${name} created`, path, object: await created.json() };
  }
  if (created.status !== 409) throw await refusal(label, name, created);
  let patched = await send(path, 'PATCH', 'application/strategic-merge-patch+json', body);
  // A custom resource knows no strategic merge patches.
  if (patched.status === 415) patched = await send(path, 'PATCH', 'application/merge-patch+json', body);
  if (!patched.ok) throw await refusal(label, name, patched);
  return { line: `${label}/${name} configured`, path, object: await patched.json() };
}

async function placeOf(send: SendRequest, manifest: Manifest, inNamespace: string) {
  const { apiVersion, kind, metadata } = manifest;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const discovered = await send(root);
  const { resources = [] } = (discovered.ok ? await discovered.json() : {}) as Discovered;
  const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
  if (!resource) throw noMatches(manifest);
  const scope = resource.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? inNamespace)}` : '';
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const singular = resource.singularName === '' ? kind.toLowerCase() : resource.singularName;
  return { collection: `${root}${scope}/${resource.name}`, label: singular + group };
}

/** What kubectl says of a kind that the server does not know. */
export function noMatches({ apiVersion, kind }: Manifest): UsageError {
  return new UsageError(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
}

function withLastApplied(manifest: Manifest): Manifest {
  const lastApplied = `${JSON.stringify(manifest)}\n`;
  const annotations = { ...manifest.metadata.annotations, [LAST_APPLIED]: lastApplied };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

async function refusal(label: string, name: string, response: Response): Promise<UsageError> {
  const status = (await response.json().catch(() => ({}))) as { message?: string };
  return new UsageError(`${label}/${name} was refused: ${status.message ?? response.statusText}`, { cause: status });
}
