import type { Deployment, ReplicationController } from '../../../lambdas/objects/kinds.ts';
import { isFailingImage } from '../drawScript.ts';

const NEVER_READY = 'simulate.driftless.dev/never-ready';

type Template = NonNullable<Deployment['spec']>['template'] | NonNullable<ReplicationController['spec']>['template'];

/** False if no pod of the template ever becomes ready. */
export function canRun(template: Template): boolean {
  const isReadyEver = template?.metadata?.annotations?.[NEVER_READY] === undefined;
  return isReadyEver && !(template?.spec?.containers ?? []).some(({ image = '' }) => isFailingImage(image));
}
