import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { formatLabelSelector } from '../../../lambdas/objects/selectors/labelSelector.ts';
import type { SendRequest } from '../../host/SendRequest.ts';
import { type DiffLine, diffAsYaml } from '../views/diffAsYaml.ts';
import { type PageAction, type PlannedRequest, planAction } from '../views/planAction.ts';
import type { DryRunClient } from './DryRunClient.ts';
import { statusMessage } from './statusMessage.ts';

/** What became of an action, or of its dry run. */
export type ActionOutcome =
  | {
      readonly is: 'planned';
      readonly says: string;
      /** That of the Deployment that the dry run looked at. */
      readonly generation: number;
      /** How its spec would change, as the API answered the dry run. */
      readonly diff: readonly DiffLine[];
    }
  | { readonly is: 'done'; readonly says: string }
  | { readonly is: 'refused'; readonly says: string };

const CONFLICT = 409;
const MOST_TRIES = 5;

export interface DeploymentPlace {
  readonly namespace: string;
  readonly name: string;
}

interface FoundDeployment {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
}

interface ActionManner {
  readonly nowMs: number;
  /** That of the Deployment for which somebody has confirmed the action. */
  readonly generation?: number | undefined;
}

/** An action that the API has taken. */
interface TakenAction {
  readonly says: string;
  readonly deployment: Deployment;
  readonly answer: string;
}

type Refusal = Extract<ActionOutcome, { readonly is: 'refused' }>;

/** A Deployment as the API has it now, with its ReplicaSets. `undefined`: it is gone. */
export async function readDeployment(send: SendRequest, place: DeploymentPlace): Promise<FoundDeployment | undefined> {
  const response = await send(deploymentPath(place));
  if (response.status === 404) return undefined;
  const deployment = (await jsonOf(response)) as Deployment;
  const selector = encodeURIComponent(formatLabelSelector(deployment.spec?.selector));
  const listed = await send(`${namespacePath(place.namespace)}/replicasets?labelSelector=${selector}`);
  const { items } = (await jsonOf(listed)) as { readonly items: readonly ReplicaSet[] };
  const replicaSets = items.filter((one) => controllerOf(one)?.uid === deployment.metadata.uid);
  return { deployment, replicaSets };
}

/** Tries an action, through a client that cannot write. The outcome names the generation that it looked at. */
export async function planOn(
  { send }: DryRunClient,
  place: DeploymentPlace,
  action: PageAction,
  how: ActionManner,
): Promise<ActionOutcome> {
  const taken = await sendAction(send, place, action, how);
  if ('is' in taken) return taken;
  const { says, deployment, answer } = taken;
  return { is: 'planned', says, generation: deployment.metadata.generation ?? 0, diff: diffOf(deployment, answer) };
}

/** Does an action that somebody has confirmed. */
export async function actOn(
  send: SendRequest,
  place: DeploymentPlace,
  action: PageAction,
  how: ActionManner,
): Promise<ActionOutcome> {
  const taken = await sendAction(send, place, action, how);
  return 'is' in taken ? taken : { is: 'done', says: taken.says };
}

/**
 * Sends an action, as a dry run or in earnest, as `send` does. It is refused if somebody else has changed the Deployment since the generation that was confirmed. A controller that writes the status at the same moment is no
 * reason to refuse: the action is planned again.
 */
async function sendAction(
  send: SendRequest,
  place: DeploymentPlace,
  action: PageAction,
  { nowMs, generation: confirmed }: ActionManner,
): Promise<TakenAction | Refusal> {
  let found = await readDeployment(send, place);
  const generation = confirmed ?? found?.deployment.metadata.generation;
  for (let tries = 1; found; tries += 1) {
    if (found.deployment.metadata.generation !== generation)
      return refused(`Somebody has changed ${place.name} since you looked. Look again, and try once more.`);
    const outcome = await sendOnce(send, found, action, nowMs);
    if (outcome !== 'conflict') return outcome;
    if (tries === MOST_TRIES) return refused(`Something else keeps changing ${place.name}. Try once more.`);
    found = await readDeployment(send, place);
  }
  return refused(`${place.name} is gone.`);
}

async function sendOnce(
  send: SendRequest,
  { deployment, replicaSets }: FoundDeployment,
  action: PageAction,
  nowMs: number,
): Promise<TakenAction | Refusal | 'conflict'> {
  const planned = planAction(deployment, replicaSets, action, nowMs);
  if ('problem' in planned) return refused(`${planned.problem}.`);
  const { name, namespace = '' } = deployment.metadata;
  const response = await sendPlanned(send, deploymentPath({ namespace, name }), planned);
  const answer = await response.text();
  if (response.status === CONFLICT) return 'conflict';
  if (!response.ok) return refused(statusMessage(answer, response.status));
  return { says: planned.says, deployment, answer };
}

function refused(says: string): Refusal {
  return { is: 'refused', says };
}

/** A deletion is answered with no spec, and a scale with one that has only the replicas. */
function diffOf({ spec }: Deployment, answer: string): readonly DiffLine[] {
  const { kind, spec: changed } = JSON.parse(answer) as { readonly kind?: string; readonly spec?: object };
  if (!spec || !changed) return [];
  if (kind === 'Scale') return diffAsYaml({ replicas: spec.replicas }, changed);
  return kind === 'Deployment' ? diffAsYaml(spec, changed) : [];
}

function sendPlanned(
  send: SendRequest,
  path: string,
  { method, subresource, contentType, body }: PlannedRequest,
): Promise<Response> {
  return send(`${path}${subresource}?fieldManager=driftless-dashboard`, {
    method,
    headers: { 'content-type': contentType },
    body: JSON.stringify(body),
  });
}

/** What the user may not do to a Deployment, with the reason. An API that cannot say is taken to allow it: it refuses the action itself. */
export async function forbiddenOf(
  send: SendRequest,
  { namespace, name }: DeploymentPlace,
): Promise<Readonly<Record<string, string>>> {
  const asked = [
    { right: 'patch', verb: 'patch', subresource: '' },
    { right: 'scale', verb: 'patch', subresource: 'scale' },
    { right: 'delete', verb: 'delete', subresource: '' },
  ];
  const answers = await Promise.all(
    asked.map(async ({ right, verb, subresource }) => {
      const attributes = { group: 'apps', resource: 'deployments', namespace, name, verb, subresource };
      const why = await reviewOf(send, attributes);
      return why === undefined ? [] : [[right, why] as const];
    }),
  );
  return Object.fromEntries(answers.flat());
}

async function reviewOf(
  send: SendRequest,
  resourceAttributes: { readonly verb: string; readonly subresource: string },
) {
  const response = await send('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    }),
  });
  const text = await response.text();
  if (!response.ok) return undefined;
  const { status } = JSON.parse(text) as { readonly status?: { readonly allowed?: boolean; readonly reason?: string } };
  if (status?.allowed !== false) return undefined;
  const { verb, subresource } = resourceAttributes;
  const what = subresource === '' ? 'deployments' : `deployments/${subresource}`;
  return status.reason || `You may not ${verb} ${what} in this namespace.`;
}

function namespacePath(namespace: string): string {
  return `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}`;
}

function deploymentPath({ namespace, name }: DeploymentPlace): string {
  return `${namespacePath(namespace)}/deployments/${encodeURIComponent(name)}`;
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(statusMessage(text, response.status));
  return JSON.parse(text);
}
