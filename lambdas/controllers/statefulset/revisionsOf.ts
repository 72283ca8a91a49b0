import type { ControllerRevision, StatefulSet } from '../../objects/kinds.ts';
import { templateOf } from '../history/templatePatch.ts';
import type { Revisions } from './newStatefulSetPod.ts';

/** Returns the two revisions of a set whose template is kept by `update`; absent: by none, and its status still names what it had. Pure. */
export function revisionsOf(
  set: StatefulSet,
  sorted: readonly ControllerRevision[],
  updated: ControllerRevision | undefined,
): Revisions {
  const template = set.spec?.template ?? {};
  const { currentRevision, updateRevision } = set.status ?? {};
  const update = { name: updated?.metadata.name ?? updateRevision ?? '', template };
  const current = sorted.find(({ metadata }) => metadata.name === currentRevision);
  if (!current || current.metadata.name === update.name) return { current: update, update };
  return { current: { name: current.metadata.name, template: templateOf(current) ?? template }, update };
}
