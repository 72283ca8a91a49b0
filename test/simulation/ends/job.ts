import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { REPLACED } from '../replaceByForce.ts';
import { nameOf, type World } from '../World.ts';

/** Every Job has ended, and none of its pods is held any more. One that a user has put in the place of another may have come after that, and stays held until it is deleted, as in Kubernetes. */
export function unfinishedJob(world: World): string | undefined {
  for (const job of world.jobs()) {
    const { conditions = [], active = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
    const hasEnded = conditions.some(
      ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
    );
    if (!hasEnded) return `${nameOf(job)} has not ended: ${JSON.stringify(job.status)}`;
    const isExact = active === 0 && !uncounted?.succeeded && !uncounted?.failed;
    if (!isExact) return `${nameOf(job)} has ended with pods that are not counted: ${JSON.stringify(job.status)}`;
    const held = world.podsOf(job.metadata.uid).find(isHeld);
    if (held) return `${nameOf(held)} is held though ${nameOf(job)} has ended`;
  }
  return undefined;
}

function isHeld({ metadata }: Pod): boolean {
  return metadata.finalizers !== undefined && metadata.annotations?.[REPLACED] === undefined;
}
