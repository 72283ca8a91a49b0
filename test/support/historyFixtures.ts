import { newControllerRevision, type NewRevision } from '../../lambdas/controllers/history/newControllerRevision.ts';
import type { ControllerRevision } from '../../lambdas/objects/kinds.ts';
import { deploymentOf } from './deploymentFixtures.ts';

/** An owner of revisions. Any object with pods will do: what it is does not matter to its history. */
export const OWNER = deploymentOf();

/** The revision of `OWNER` whose template has this image. */
export function draftOf(image: string, revision = 1, collisionCount?: number): NewRevision {
  const { template = {} } = deploymentOf({ image }).spec ?? {};
  return newControllerRevision(OWNER, template, { revision, collisionCount });
}

/** The stored revision `name` with this image and number. */
export function revisionOf(name: string, revision: number, facts: Partial<ControllerRevision['metadata']> = {}) {
  const draft = draftOf(name, revision);
  const metadata = {
    ...draft.metadata,
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...facts,
  };
  return { ...draft, metadata } as unknown as ControllerRevision;
}
