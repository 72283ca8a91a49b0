import { SMOKE_TEST_DEPLOYMENT } from '../../../lambdas/rest/rbac/smokeTestRole.ts';
import { takeNamespace, type TakenNamespace } from './smokeTestNamespace.ts';
import type { SmokeTestPlan } from './planSmokeTest.ts';
import { isRolledOut, type RollingDeployment, type WaitingPod, whatItWaitsFor } from './rolloutState.ts';
import { Requests, SmokeTestError } from './Requests.ts';
import { smokeTestDeployment, SMOKE_TEST_IMAGES } from './smokeTestDeployment.ts';
import type { SmokeTestApi, SmokeTestTime } from './SmokeTestApi.ts';

export type SmokeTestOutcome =
  | { readonly status: 'passed'; readonly tookMs: number }
  /** `why` names the step, the last answer, and what a rollout waited for. */
  | { readonly status: 'failed'; readonly why: string };

/** How long the test of the Deployment may take. It takes some 15 s; the rest is for what is slow at a deployment: cold starts, the first objects of a new cluster, roles that IAM and RBAC have just been told of. */
export const SMOKE_TEST_MS = 150_000;
/** How long its namespace may take to go, on top: the namespace controller alone waits 30 s for creations that come late (LATE_CREATES_MS). */
export const CLEANUP_MS = 90_000;
const POLL_MS = 1_000;

export interface SmokeTestParts {
  readonly api: SmokeTestApi;
  readonly time: SmokeTestTime;
  /** Identifies this run: a namespace with it is its own, also if the answer to its creation was lost. */
  readonly runId: string;
}

/**
 * Creates, rolls and deletes a Deployment in a namespace of its own, as the plan says. What is throttled, fails on the server's side, or gets no answer is tried again until the time is over. The namespace is deleted in the end, also after
 * a failure; if that fails, so does the test. Never rejects.
 */
export async function runSmokeTest(parts: SmokeTestParts, plan: SmokeTestPlan): Promise<SmokeTestOutcome> {
  const beganMs = parts.time.now();
  const requests = new Requests(parts.api, parts.time, beganMs + SMOKE_TEST_MS);
  let namespace: TakenNamespace | undefined;
  const failures: string[] = [];
  try {
    namespace = await takeNamespace(requests, parts.runId, parts.time);
    await tryDeployment(requests, namespace.name, plan);
  } catch (error) {
    failures.push(reasonOf(error));
  }
  if (namespace) failures.push(...(await cleanUp(parts, namespace)));
  const tookMs = parts.time.now() - beganMs;
  return failures.length === 0 ? { status: 'passed', tookMs } : { status: 'failed', why: failures.join('; then ') };
}

async function tryDeployment(requests: Requests, namespace: string, plan: SmokeTestPlan): Promise<void> {
  const all = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const one = `${all}/${SMOKE_TEST_DEPLOYMENT}`;
  const [first, second] = SMOKE_TEST_IMAGES;
  const isRolled = plan.checks === 'rollout';
  // 409: the answer to an earlier attempt was lost. Nobody else writes into this namespace.
  await requests.send(
    'create the Deployment',
    { method: 'POST', path: all, body: smokeTestDeployment(first, plan) },
    [409],
  );
  if (isRolled) await waitForRollout(requests, 'wait for the first rollout', namespace);
  const body = { spec: { template: { spec: { containers: [{ name: 'main', image: second }] } } } };
  await requests.send('roll the Deployment', { method: 'PATCH', path: one, body });
  if (isRolled) await waitForRollout(requests, 'wait for the second rollout', namespace);
  const propagationPolicy = isRolled ? 'Foreground' : 'Background';
  await requests.send('delete the Deployment', { method: 'DELETE', path: one, body: { propagationPolicy } }, [404]);
  await waitUntilGone(requests, 'wait for the end of the Deployment', one);
}

async function waitForRollout(requests: Requests, step: string, namespace: string): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${SMOKE_TEST_DEPLOYMENT}`;
  for (;;) {
    const deployment = (await requests.send(step, { method: 'GET', path })).body as RollingDeployment;
    if (isRolledOut(deployment)) return;
    if (!(await requests.pause(POLL_MS))) {
      throw new SmokeTestError(step, whatItWaitsFor(deployment, await podsOf(requests, namespace)));
    }
  }
}

/** For the reason of a failure only, so whatever goes wrong here says nothing. */
async function podsOf(requests: Requests, namespace: string): Promise<readonly WaitingPod[]> {
  try {
    const { body } = await requests.sendOnce({ method: 'GET', path: `/api/v1/namespaces/${namespace}/pods` });
    return (body as { readonly items?: readonly WaitingPod[] }).items ?? [];
  } catch {
    return [];
  }
}

/** With a `uid`, an object of the same name with another UID is another run's. */
async function waitUntilGone(requests: Requests, step: string, path: string, uid?: string): Promise<void> {
  for (;;) {
    const { status, body } = await requests.send(step, { method: 'GET', path }, [404]);
    if (status === 404) return;
    const { metadata = {} } = body as { readonly metadata?: { readonly uid?: string; readonly finalizers?: string[] } };
    if (uid !== undefined && metadata.uid !== uid) return;
    if (await requests.pause(POLL_MS)) continue;
    const finalizers = metadata.finalizers ?? [];
    throw new SmokeTestError(
      step,
      `it is still there${finalizers.map((name) => `, with the finalizer ${name}`).join()}`,
    );
  }
}

/** Deletes the namespace with what is in it, and waits until it is gone. Returns why that failed, if it did. */
async function cleanUp({ api, time }: SmokeTestParts, { name, uid }: TakenNamespace): Promise<readonly string[]> {
  const requests = new Requests(api, time, time.now() + CLEANUP_MS);
  const path = `/api/v1/namespaces/${name}`;
  try {
    // 409: it is another run's by now, so this one's is gone.
    const body = { preconditions: { uid } };
    const { status } = await requests.send('delete the namespace', { method: 'DELETE', path, body }, [404, 409]);
    if (status < 400) await waitUntilGone(requests, 'wait for the end of the namespace', path, uid);
    return [];
  } catch (error) {
    return [reasonOf(error)];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof SmokeTestError ? error.message : String(error);
}
