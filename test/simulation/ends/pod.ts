import { isPodReady, isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';
import { canRun } from './canRun.ts';

/** No pod is on its way out, and each that has a node is ready or has ended, if its images can be had. */
export function unfinishedPod(world: World): string | undefined {
  for (const pod of world.pods()) {
    const { metadata, spec } = pod;
    if (metadata.deletionTimestamp !== undefined) return `${nameOf(pod)} is still being deleted`;
    if (spec?.nodeName === undefined || isPodTerminal(pod) || !canRun({ metadata, spec })) continue;
    if (!isPodReady(pod)) return `${nameOf(pod)} is not ready`;
  }
  return undefined;
}
