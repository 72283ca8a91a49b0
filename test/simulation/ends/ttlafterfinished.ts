import { nameOf, type World } from '../World.ts';

/** No Job is left whose time to live after its end is over. */
export function outlivedJob(world: World, nowMs: number): string | undefined {
  const outlived = world.jobs().find(({ spec, status }) => {
    const ends = (status?.conditions ?? []).filter(({ type, status: is }) => is === 'True' && isEnd(type));
    const endedMs = Math.min(...ends.map(({ lastTransitionTime }) => Date.parse(lastTransitionTime ?? '')));
    return nowMs > endedMs + (spec?.ttlSecondsAfterFinished ?? Number.POSITIVE_INFINITY) * 1_000;
  });
  return outlived && `${nameOf(outlived)} has outlived its time`;
}

function isEnd(type: string): boolean {
  return type === 'Complete' || type === 'Failed';
}
