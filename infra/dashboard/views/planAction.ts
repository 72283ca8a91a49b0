import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { resolveFenceposts } from '../../../lambdas/controllers/deployment/resolveFenceposts.ts';
import { plainTemplate, revisionOf } from './revisionsOf.ts';
import { containersOf } from './viewWorkload.ts';

/** What a page asks to do to a Deployment. */
export type PageAction =
  | { readonly act: 'pause' | 'resume' | 'restart' | 'delete' }
  | { readonly act: 'undo'; readonly revision: number }
  | { readonly act: 'scale'; readonly replicas: number }
  | { readonly act: 'setImage'; readonly container: string; readonly image: string };

/** One request to the API, with what it will do in words. */
export interface PlannedRequest {
  readonly method: 'PATCH' | 'DELETE';
  /** `/scale` or nothing, behind the Deployment's path. */
  readonly subresource: string;
  readonly contentType: string;
  readonly body: object;
  readonly says: string;
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

type Fields = Readonly<Record<string, unknown>>;

const READ_ACTIONS: Readonly<Record<PageAction['act'], (fields: Fields) => PageAction | undefined>> = {
  pause: () => ({ act: 'pause' }),
  resume: () => ({ act: 'resume' }),
  restart: () => ({ act: 'restart' }),
  delete: () => ({ act: 'delete' }),
  undo: ({ revision }) => (isCount(revision) ? { act: 'undo', revision } : undefined),
  scale: ({ replicas }) => (isCount(replicas) ? { act: 'scale', replicas } : undefined),
  setImage: ({ container, image }) =>
    typeof container === 'string' && typeof image === 'string' && image.trim() !== ''
      ? { act: 'setImage', container, image: image.trim() }
      : undefined,
};

/** All that a page can ask to do. */
export const PAGE_ACTS = Object.keys(READ_ACTIONS) as readonly PageAction['act'][];

/** Reads what a page sends. Returns `undefined` for what is no action. Pure. */
export function parsePageAction(value: unknown): PageAction | undefined {
  const fields = (value ?? {}) as Fields;
  const act = PAGE_ACTS.find((one) => one === fields['act']);
  return act && READ_ACTIONS[act](fields);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the request that carries out the action, or the problem that prevents it. A patch names the version that it was planned for, and a deletion the UID. Pure. */
export function planAction(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  action: PageAction,
  nowMs: number,
): PlannedRequest | { readonly problem: string } {
  const { name, resourceVersion, uid } = deployment.metadata;
  const paused = deployment.spec?.paused === true;
  const metadata = { resourceVersion };
  const merge = (body: object, says: string): PlannedRequest => ({
    method: 'PATCH',
    subresource: '',
    contentType: MERGE,
    body: { metadata, ...body },
    says,
  });
  switch (action.act) {
    case 'pause':
      if (paused) return { problem: `${name} is paused already` };
      return merge({ spec: { paused: true } }, 'The rollout stops where it is. Pods stay as they are.');
    case 'resume':
      if (!paused) return { problem: `${name} is not paused` };
      return merge({ spec: { paused: false } }, `The rollout goes on. ${stepsOf(deployment)}`);
    case 'restart': {
      if (paused) return { problem: `${name} is paused: resume it first` };
      const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(nowMs).toISOString() };
      return merge({ spec: { template: { metadata: { annotations } } } }, stepsOf(deployment));
    }
    case 'undo': {
      if (paused) return { problem: `${name} is paused: resume it first` };
      const target = replicaSets.find((one) => revisionOf(one) === action.revision);
      if (!target) return { problem: `revision ${action.revision} is no longer kept` };
      const body = [
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'replace', path: '/spec/template', value: plainTemplate(target) },
      ];
      const says = `The template of revision ${action.revision} comes back. ${stepsOf(deployment)}`;
      return { method: 'PATCH', subresource: '', contentType: JSON_PATCH, body, says };
    }
    case 'scale': {
      const from = deployment.spec?.replicas ?? 1;
      const more = action.replicas - from;
      if (more === 0) return { problem: `${name} has ${from} replicas already` };
      const says =
        more > 0 ? `${more} pods are added: ${from} become ${action.replicas}.` : `${-more} pods are deleted.`;
      const body = { metadata, spec: { replicas: action.replicas } };
      return { method: 'PATCH', subresource: '/scale', contentType: MERGE, body, says };
    }
    case 'setImage': {
      const known = containersOf(deployment).find((one) => one.name === action.container);
      if (!known) return { problem: `${name} has no container ${action.container}` };
      if (known.image === action.image) return { problem: `${action.container} has this image already` };
      const isOfStart = deployment.spec?.template?.spec?.initContainers?.includes(known);
      const changed = [{ name: action.container, image: action.image }];
      const spec = { template: { spec: { [isOfStart ? 'initContainers' : 'containers']: changed } } };
      const says = paused ? 'The rollout is paused: nothing changes until it is resumed.' : stepsOf(deployment);
      return { method: 'PATCH', subresource: '', contentType: STRATEGIC, body: { metadata, spec }, says };
    }
    case 'delete':
      return {
        method: 'DELETE',
        subresource: '',
        contentType: 'application/json',
        body: { propagationPolicy: 'Background', preconditions: { uid } },
        says: `The Deployment, its ${replicaSets.length} ReplicaSets and its ${deployment.status?.replicas ?? 0} pods are deleted. This cannot be undone.`,
      };
  }
}

/** How its pods are replaced, in words. */
function stepsOf(deployment: Deployment): string {
  const replicas = deployment.spec?.replicas ?? 1;
  if (deployment.spec?.strategy?.type === 'Recreate')
    return `All ${replicas} pods are deleted first, and then as many are created.`;
  const { ceiling, floor, maxSurge, maxUnavailable } = resolveFenceposts(deployment);
  return `Up to ${replicas} pods are replaced, ${maxSurge} more and ${maxUnavailable} fewer at a time: never more than ${ceiling} pods, and never fewer than ${floor} available unless pods fail by themselves.`;
}
