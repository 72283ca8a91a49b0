import { nameOf, type World } from '../World.ts';

/** Every Job has ended, and none of its pods is held any more. */
export function unfinishedJob(world: World): string | undefined {
  for (const job of world.jobs()) {
    const { conditions = [], active = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
    const hasEnded = conditions.some(
      ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
    );
    if (!hasEnded) return `${nameOf(job)} has not ended: ${JSON.stringify(job.status)}`;
    const isExact = active === 0 && !uncounted?.succeeded && !uncounted?.failed;
    if (!isExact) return `${nameOf(job)} has ended with pods that are not counted: ${JSON.stringify(job.status)}`;
    const held = world.podsOf(job.metadata.uid).find(({ metadata }) => metadata.finalizers !== undefined);
    if (held) return `${nameOf(held)} is held though ${nameOf(job)} has ended`;
  }
  return undefined;
}
