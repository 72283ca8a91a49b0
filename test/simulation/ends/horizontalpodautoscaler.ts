import type { Deployment, HorizontalPodAutoscaler } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';

/** What an autoscaler wants is what its Deployment has, within its bounds. */
export function unmetAutoscaler(world: World): string | undefined {
  for (const autoscaler of world.all<HorizontalPodAutoscaler>('HorizontalPodAutoscaler')) {
    const { spec, status, metadata } = autoscaler;
    const target = world.get<Deployment>('deployments.apps', metadata.namespace ?? '', spec?.scaleTargetRef.name ?? '');
    const desired = status?.desiredReplicas ?? 0;
    const isWithin = desired >= (spec?.minReplicas ?? 1) && desired <= (spec?.maxReplicas ?? 0);
    if (target && (!isWithin || target.spec?.replicas !== desired || status?.currentReplicas !== desired))
      return `${nameOf(autoscaler)} wants ${desired} replicas, and ${target.spec?.replicas} are there: ${JSON.stringify(status)}`;
  }
  return undefined;
}
