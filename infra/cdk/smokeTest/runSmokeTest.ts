import { deleteLeftovers, deleteRun, DEPLOYMENTS, PODS } from './runObjects.ts';
import type { SmokeTestPlan } from './planSmokeTest.ts';
import { isRolledOut, type RollingDeployment, type WaitingPod, whatItWaitsFor } from './rolloutState.ts';
import { Requests, SmokeTestError } from './Requests.ts';
import { SMOKE_TEST_IMAGES, smokeTestDeployment, smokeTestName } from './smokeTestDeployment.ts';
import type { SmokeTestApi, SmokeTestTime } from './SmokeTestApi.ts';

export type SmokeTestOutcome =
  | { readonly status: 'passed'; readonly tookMs: number }
  /** `why` names the step, the last answer, and what a rollout waited for. */
  | { readonly status: 'failed'; readonly why: string };

/** How long the test of the Deployment may take. It takes some 15 s; the rest is for what is slow at a deployment: cold starts, the first objects of a new cluster, roles that IAM and RBAC have just been told of. */
export const SMOKE_TEST_MS = 150_000;
/** How long its objects may take to go, on top. */
export const CLEANUP_MS = 90_000;
const POLL_MS = 1_000;

export interface SmokeTestParts {
  readonly api: SmokeTestApi;
  readonly time: SmokeTestTime;
  /** Identifies this run, whose objects have it in their labels and the Deployment in its name: what it finds there is its own, also if the answer to the creation was lost. */
  readonly runId: string;
}

/**
 * Creates, rolls and deletes a Deployment in the smoke test's namespace, as the plan says. What is throttled, fails on the server's side, or gets no answer is tried again until the time is over. What is left of the run is deleted in the end, also
 * after a failure; if that fails, so does the test. Several runs at the same time do not meet. Never rejects.
 */
export async function runSmokeTest(parts: SmokeTestParts, plan: SmokeTestPlan): Promise<SmokeTestOutcome> {
  const { api, time, runId } = parts;
  const beganMs = time.now();
  const requests = new Requests(api, time, beganMs + SMOKE_TEST_MS);
  const failures: string[] = [];
  let mayExist = false;
  try {
    await deleteLeftovers(requests, beganMs);
    mayExist = true;
    await tryDeployment(requests, runId, plan);
  } catch (error) {
    failures.push(reasonOf(error));
  }
  // If not even a list could be read, nothing was created, and the same answer would be waited for once more.
  if (mayExist) failures.push(...(await cleanUp(parts, plan)));
  const tookMs = time.now() - beganMs;
  return failures.length === 0 ? { status: 'passed', tookMs } : { status: 'failed', why: failures.join('; then ') };
}

async function tryDeployment(requests: Requests, runId: string, plan: SmokeTestPlan): Promise<void> {
  const path = `${DEPLOYMENTS}/${smokeTestName(runId)}`;
  const [first, second] = SMOKE_TEST_IMAGES;
  const isRolled = plan.checks === 'rollout';
  // 409: the answer to an earlier attempt was lost. No other run has this name.
  await requests.send(
    'create the Deployment',
    { method: 'POST', path: DEPLOYMENTS, body: smokeTestDeployment(first, runId, plan) },
    [409],
  );
  if (isRolled) await waitForRollout(requests, 'wait for the first rollout', path);
  const body = { spec: { template: { spec: { containers: [{ name: 'main', image: second }] } } } };
  await requests.send('roll the Deployment', { method: 'PATCH', path, body });
  if (isRolled) await waitForRollout(requests, 'wait for the second rollout', path);
  const propagationPolicy = isRolled ? 'Foreground' : 'Background';
  await requests.send('delete the Deployment', { method: 'DELETE', path, body: { propagationPolicy } }, [404]);
  await waitUntilGone(requests, 'wait for the end of the Deployment', path);
}

async function waitForRollout(requests: Requests, step: string, path: string): Promise<void> {
  for (;;) {
    const deployment = (await requests.send(step, { method: 'GET', path })).body as RollingDeployment;
    if (isRolledOut(deployment)) return;
    if (!(await requests.pause(POLL_MS))) {
      throw new SmokeTestError(step, whatItWaitsFor(deployment, await podsOf(requests, deployment)));
    }
  }
}

/** For the reason of a failure only, so whatever goes wrong here says nothing. */
async function podsOf(requests: Requests, { metadata }: RollingDeployment): Promise<readonly WaitingPod[]> {
  try {
    const path = `${PODS}?labelSelector=${encodeURIComponent(`app=${metadata?.name}`)}`;
    const { body } = await requests.sendOnce({ method: 'GET', path });
    return (body as { readonly items?: readonly WaitingPod[] }).items ?? [];
  } catch {
    return [];
  }
}

async function waitUntilGone(requests: Requests, step: string, path: string): Promise<void> {
  for (;;) {
    const { status, body } = await requests.send(step, { method: 'GET', path }, [404]);
    if (status === 404) return;
    const { metadata = {} } = body as { readonly metadata?: { readonly finalizers?: string[] } };
    if (await requests.pause(POLL_MS)) continue;
    const finalizers = metadata.finalizers ?? [];
    throw new SmokeTestError(
      step,
      `it is still there${finalizers.map((name) => `, with the finalizer ${name}`).join()}`,
    );
  }
}

/** Deletes what the run has created, and waits until it is gone; only until it is being deleted where nothing ends pods. Returns why that failed, if it did. */
async function cleanUp({ api, time, runId }: SmokeTestParts, { checks }: SmokeTestPlan): Promise<readonly string[]> {
  const requests = new Requests(api, time, time.now() + CLEANUP_MS);
  try {
    for (;;) {
      const left = await deleteRun(requests, runId);
      if (left.length === 0 || checks !== 'rollout') return [];
      if (await requests.pause(POLL_MS)) continue;
      throw new SmokeTestError('wait for the end of what the run has created', `still there: ${left.join('; ')}`);
    }
  } catch (error) {
    return [reasonOf(error)];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof SmokeTestError ? error.message : String(error);
}
