import { ROLLBACK_TO } from '../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment } from '../../objects/kinds.ts';
import { parseInteger } from '../../objects/selectors/labelRequirement.ts';
import { isEmptySelector } from '../../objects/selectors/labelSelector.ts';
import { formatTime } from '../../ports/Clock.ts';
import { assessProgress } from './assessProgress.ts';
import { decideAutoRollback } from './autorollback/decideAutoRollback.ts';
import { byAge, desiredReplicas } from './replicaSets.ts';
import { boundsOf, isRollingUpdate } from './resolveFenceposts.ts';
import type { Rollout, World } from './Rollout.ts';
import { sizedReplicaSet } from './SizedReplicaSet.ts';
import { sizesOf } from './Sizes.ts';

/** All facts that the steps decide on, each computed once. With `FindNewReplicaSet`, see `findNewReplicaSet`. Pure. */
export function assessRollout({ deployment, replicaSets, pods, nowMs }: World): Rollout {
  const rollbackTo = getRollbackTo(deployment);
  const all = replicaSets.toSorted(byAge).map((replicaSet) => sizedReplicaSet(replicaSet, deployment));
  const found = all.find(({ hasTemplate }) => hasTemplate);
  const sizes = sizesOf(all, found);
  const judged = { deployment, pods, ...sizes, progress: assessProgress(deployment, sizes, nowMs) };
  return {
    ...judged,
    ...boundsOf(deployment),
    now: formatTime(nowMs),
    desired: desiredReplicas(deployment),
    isRollingUpdate: isRollingUpdate(deployment),
    selectsAll: isEmptySelector(deployment.spec?.selector),
    rollbackTo,
    autoRollback: decideAutoRollback(judged),
  };
}

/** `getRollbackTo`: the requested revision, 0 for the last one; `undefined` if none is requested. Text that is not an int64 is no request. */
export function getRollbackTo(deployment: Deployment): bigint | undefined {
  return parseInteger(deployment.metadata.annotations?.[ROLLBACK_TO]);
}
