import { SMOKE_TEST_NAMESPACE } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import type { Requests } from './Requests.ts';

/** Is on all objects of a run, with its id. */
export const RUN_LABEL = 'driftless.dev/smoke-test-run';
/** No run lasts so long: older objects were left behind by one that died. */
export const LEFTOVER_MS = 15 * 60_000;

const namespaced = (version: string, resource: string) => `${version}/namespaces/${SMOKE_TEST_NAMESPACE}/${resource}`;

/** The paths of the smoke test's Deployments and pods. */
export const DEPLOYMENTS = namespaced('/apis/apps/v1', 'deployments');
export const PODS = namespaced('/api/v1', 'pods');

/** What a run creates, and what controllers make of it: owners first, so that no controller replaces what is deleted. */
const COLLECTIONS = [DEPLOYMENTS, namespaced('/apis/apps/v1', 'replicasets'), PODS];

interface RunObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
}

/** Deletes what earlier runs have left behind. Whatever is in the smoke test's namespace for longer than a run is such. Throws a SmokeTestError if a request fails for good. */
export async function deleteLeftovers(requests: Requests, nowMs: number): Promise<void> {
  const isOld = ({ metadata }: RunObject) => nowMs - Date.parse(metadata.creationTimestamp) > LEFTOVER_MS;
  for (const collection of COLLECTIONS) {
    const found = await listObjects(requests, 'look for what earlier runs left behind', collection);
    await deleteObjects(requests, 'delete what an earlier run left behind', collection, found.filter(isOld));
  }
}

/** Deletes what the run has created, also what no garbage collector deletes. Resolves to the paths of what is still there, with their finalizers; owners are first. */
export async function deleteRun(requests: Requests, runId: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const collection of COLLECTIONS) {
    const selected = `${collection}?labelSelector=${encodeURIComponent(`${RUN_LABEL}=${runId}`)}`;
    const found = await listObjects(requests, 'look for what the run has created', selected);
    await deleteObjects(requests, 'delete what the run has created', collection, found);
    left.push(...found.map((one) => describe(collection, one)));
  }
  return left;
}

async function listObjects(requests: Requests, step: string, path: string): Promise<readonly RunObject[]> {
  const { body } = await requests.send(step, { method: 'GET', path });
  return (body as { readonly items?: readonly RunObject[] }).items ?? [];
}

/** Those that are being deleted already are left alone. 409: another object has the name by now. */
async function deleteObjects(requests: Requests, step: string, path: string, objects: readonly RunObject[]) {
  for (const { metadata } of objects.filter((one) => one.metadata.deletionTimestamp === undefined)) {
    const body = { preconditions: { uid: metadata.uid }, propagationPolicy: 'Background' };
    await requests.send(step, { method: 'DELETE', path: `${path}/${metadata.name}`, body }, [404, 409]);
  }
}

/** `pods/smoke-test-1` or `deployments/smoke-test, with the finalizer foregroundDeletion`. */
function describe(collection: string, { metadata }: RunObject): string {
  const finalizers = (metadata.finalizers ?? []).map((name) => `, with the finalizer ${name}`).join('');
  return `${collection.slice(collection.lastIndexOf('/') + 1)}/${metadata.name}${finalizers}`;
}
