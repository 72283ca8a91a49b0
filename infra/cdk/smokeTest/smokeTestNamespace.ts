import { SMOKE_TEST_NAMESPACES } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import { type Requests, SmokeTestError } from './Requests.ts';
import type { SmokeTestTime } from './SmokeTestApi.ts';

/** A namespace that belongs to this run. */
export interface TakenNamespace {
  readonly name: string;
  readonly uid: string;
}

interface Namespace {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

const RUN_LABEL = 'driftless.dev/smoke-test-run';
/** No run lasts so long: an older namespace was left behind by one that died. */
export const LEFTOVER_MS = 15 * 60_000;
const POLL_MS = 2_000;
const STEP = 'create a namespace';

/**
 * Creates one of the smoke test's namespaces. One that exists already belongs to another run; if it is too old for that, it is deleted. Waits if none is free. Throws a SmokeTestError when the time is over.
 */
export async function takeNamespace(requests: Requests, runId: string, time: SmokeTestTime): Promise<TakenNamespace> {
  for (;;) {
    const taken: string[] = [];
    for (const name of SMOKE_TEST_NAMESPACES) {
      const found = await createOrFind(requests, name, runId);
      if (found?.metadata.labels?.[RUN_LABEL] === runId) return { name, uid: found.metadata.uid };
      if (found) {
        await deleteLeftover(requests, found, time.now());
        taken.push(`${name} since ${found.metadata.creationTimestamp}`);
      }
    }
    if (!(await requests.pause(POLL_MS))) throw new SmokeTestError(STEP, `other runs have ${taken.join(', ')}`);
  }
}

/** Returns the namespace, whoever created it, or `undefined` if it has gone meanwhile. A creation whose answer was lost is known by its label. */
async function createOrFind(requests: Requests, name: string, runId: string): Promise<Namespace | undefined> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [RUN_LABEL]: runId } } };
  const created = await requests.send(STEP, { method: 'POST', path: '/api/v1/namespaces', body }, [409]);
  if (created.status !== 409) return created.body as Namespace;
  const found = await requests.send(STEP, { method: 'GET', path: `/api/v1/namespaces/${name}` }, [404]);
  return found.status === 404 ? undefined : (found.body as Namespace);
}

async function deleteLeftover(requests: Requests, { metadata }: Namespace, nowMs: number): Promise<void> {
  const isOld = nowMs - Date.parse(metadata.creationTimestamp) > LEFTOVER_MS;
  if (!isOld || metadata.deletionTimestamp !== undefined) return;
  const body = { preconditions: { uid: metadata.uid } };
  const path = `/api/v1/namespaces/${metadata.name}`;
  await requests.send(
    'delete a namespace that an earlier run left behind',
    { method: 'DELETE', path, body },
    [404, 409],
  );
}
