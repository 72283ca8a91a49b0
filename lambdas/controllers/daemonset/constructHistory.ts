import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { ControllerRevision, DaemonSet, Pod } from '../../objects/kinds.ts';
import { podTemplateHash } from '../../objects/pods/podTemplateHash.ts';
import { claimRevisions, CONTROLLER_REVISIONS, listControllerRevisions } from '../history/claimRevisions.ts';
import {
  type CommittedRevision,
  deleteControllerRevisions,
  updateControllerRevision,
} from '../history/commitRevisions.ts';
import { newControllerRevision } from '../history/newControllerRevision.ts';
import { equalRevision } from '../history/templatePatch.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { REVISION_HASH_LABEL } from './daemonPodTemplate.ts';
import { type DaemonHistory, decideHistory, hashOf } from './decideHistory.ts';

/** The history of a DaemonSet as it is stored now. `conflict`: what was read has changed since. */
export type ConstructedHistory =
  | {
      readonly status: 'stored';
      /** The label of pods of the present template. */
      readonly hash: string;
      readonly old: readonly ControllerRevision[];
      readonly collisionCount: number | undefined;
      readonly writes: readonly string[];
    }
  | { readonly status: 'conflict' };

const CONFLICT: ConstructedHistory = { status: 'conflict' };

/**
 * Makes sure that one revision keeps the DaemonSet's template and is the newest: Kubernetes' function of this name. Adopts and releases revisions first. If several keep it, the newest stays, and the pods of the others get its
 * label before those are deleted. `pods`: the DaemonSet's own.
 */
export async function constructHistory(
  registry: GuardedRegistry,
  daemonSet: DaemonSet,
  pods: readonly Pod[],
): Promise<ConstructedHistory> {
  const { namespace = '', name } = daemonSet.metadata;
  const key = { resource: 'daemonsets.apps', namespace, name };
  const owner = { object: daemonSet, key, selector: daemonSet.spec?.selector, releases: true };
  const claims = await claimRevisions(registry, owner, await listControllerRevisions(registry, daemonSet));
  const history = decideHistory(daemonSet, claims.claimed);
  const committed = await (history.current
    ? keepCurrent(registry, history.current, history, pods, daemonSet.status?.collisionCount)
    : snapshot(registry, daemonSet, history.revision));
  if (committed.status === 'conflict') return CONFLICT;
  const { revision, collisionCount, writes } = committed;
  const all = [...claims.writes, ...writes];
  return { status: 'stored', hash: hashOf(revision), old: history.old, collisionCount, writes: all };
}

/** Numbers the current revision anew if others are newer, and puts it in the place of its duplicates: `dedupCurHistories`. */
async function keepCurrent(
  registry: GuardedRegistry,
  current: ControllerRevision,
  { duplicates, revision }: DaemonHistory,
  pods: readonly Pod[],
  collisionCount: number | undefined,
): Promise<CommittedRevision> {
  const relabeled = duplicates.length > 0 ? await relabelPods(registry, pods, hashOf(current)) : [];
  if (relabeled === 'conflict') return { status: 'conflict' };
  const deleted = await deleteControllerRevisions(registry, duplicates);
  const numbered = await updateControllerRevision(
    registry,
    current,
    Math.max(current.revision, revision),
    collisionCount,
  );
  if (numbered.status === 'conflict') return numbered;
  return { ...numbered, writes: [...relabeled, ...deleted, ...numbered.writes] };
}

async function relabelPods(
  registry: GuardedRegistry,
  pods: readonly Pod[],
  hash: string,
): Promise<readonly string[] | 'conflict'> {
  const writes: string[] = [];
  for (const pod of pods.filter(({ metadata }) => metadata.labels?.[REVISION_HASH_LABEL] !== hash)) {
    const { metadata } = pod;
    const labeled = { ...pod, metadata: { ...metadata, labels: { ...metadata.labels, [REVISION_HASH_LABEL]: hash } } };
    const outcome = await registry.update<Pod>('pods', labeled, { from: pod });
    if (outcome.status === 'stored') writes.push(`relabel pods ${namespacedName({ metadata })}`);
    else if (outcome.error.reason === 'Conflict') return 'conflict';
    else if (outcome.error.reason !== 'NotFound') throw outcome.error;
  }
  return writes;
}

/** Stores a revision of the present template: Kubernetes' function of this name. Where another template has taken its name, the collision count grows until a name is free; the status keeps it. */
async function snapshot(registry: GuardedRegistry, daemonSet: DaemonSet, revision: number): Promise<CommittedRevision> {
  const template = daemonSet.spec?.template ?? {};
  for (let collisionCount = daemonSet.status?.collisionCount; ; collisionCount = (collisionCount ?? 0) + 1) {
    const hash = podTemplateHash(template, collisionCount);
    const { namespace = '', name: ownerName } = daemonSet.metadata;
    const draft = newControllerRevision(daemonSet, template, { revision, collisionCount });
    const labels = { ...template.metadata?.labels, [REVISION_HASH_LABEL]: hash };
    const name = `${ownerName}-${hash}`;
    const object = { ...draft, metadata: { ...draft.metadata, name, labels } };
    const outcome = await registry.create<ControllerRevision>(CONTROLLER_REVISIONS, object);
    if (outcome.status === 'stored') {
      const writes = [`create ${CONTROLLER_REVISIONS} ${namespace}/${name}`];
      return { status: 'stored', revision: outcome.object, collisionCount, writes };
    }
    if (outcome.error.reason !== 'AlreadyExists') throw outcome.error;
    const taken = await registry.get<ControllerRevision>({ resource: CONTROLLER_REVISIONS, namespace, name });
    if (!taken) return { status: 'conflict' };
    if (equalRevision(taken, draft)) return { status: 'stored', revision: taken, collisionCount, writes: [] };
  }
}
