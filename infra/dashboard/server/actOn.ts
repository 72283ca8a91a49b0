import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { formatLabelSelector } from '../../../lambdas/objects/labelSelector.ts';
import type { SendRequest } from '../../local/applyManifest.ts';
import { type DiffLine, diffAsYaml } from '../views/diffAsYaml.ts';
import { type PageAction, type PlannedRequest, planAction } from '../views/planAction.ts';
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
  readonly isDryRun: boolean;
  /** That of the Deployment for which somebody has confirmed the action. */
  readonly generation?: number | undefined;
}

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

/**
 * Tries an action, or does it. A dry run answers with the generation that it looked at; the action itself names that generation, and is refused if somebody else has changed the Deployment since in what the
 * action is about. A controller that writes the status at the same moment is no reason to refuse: the action is planned again.
 */
export async function actOn(
  send: SendRequest,
  place: DeploymentPlace,
  action: PageAction,
  how: ActionManner,
): Promise<ActionOutcome> {
  let found = await readDeployment(send, place);
  const generation = how.generation ?? found?.deployment.metadata.generation;
  for (let tries = 1; found; tries += 1) {
    if (found.deployment.metadata.generation !== generation)
      return {
        is: 'refused',
        says: `Somebody has changed ${place.name} since you looked. Look again, and try once more.`,
      };
    const outcome = await tryAction(send, found, action, how);
    if (outcome !== 'conflict') return outcome;
    if (tries === MOST_TRIES)
      return { is: 'refused', says: `Something else keeps changing ${place.name}. Try once more.` };
    found = await readDeployment(send, place);
  }
  return { is: 'refused', says: `${place.name} is gone.` };
}

async function tryAction(
  send: SendRequest,
  { deployment, replicaSets }: FoundDeployment,
  action: PageAction,
  { nowMs, isDryRun }: ActionManner,
): Promise<ActionOutcome | 'conflict'> {
  const planned = planAction(deployment, replicaSets, action, nowMs);
  if ('problem' in planned) return { is: 'refused', says: `${planned.problem}.` };
  const { name, namespace = '', generation = 0 } = deployment.metadata;
  const response = await sendPlanned(send, deploymentPath({ namespace, name }), planned, isDryRun);
  const text = await response.text();
  if (response.status === CONFLICT) return 'conflict';
  const { says } = planned;
  if (!response.ok) return { is: 'refused', says: statusMessage(text, response.status) };
  return isDryRun ? { is: 'planned', says, generation, diff: diffOf(deployment, text) } : { is: 'done', says };
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
  isDryRun: boolean,
): Promise<Response> {
  const query = isDryRun ? 'dryRun=All&' : '';
  return send(`${path}${subresource}?${query}fieldManager=driftless-dashboard`, {
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
