import { composeApiStore } from '../../lambdas/functions/api/composeApi.ts';
import { composeDirectKeys } from '../../lambdas/functions/direct/composeDirectKeys.ts';
import { composeEnqueue } from '../../lambdas/functions/enqueue/composeEnqueue.ts';
import { composeRecord } from '../../lambdas/functions/record/composeRecord.ts';
import { composeResync } from '../../lambdas/functions/resync/composeResync.ts';
import { composeSync } from '../../lambdas/functions/sync/composeSync.ts';
import { ApiError } from '../../lambdas/objects/ApiError.ts';

/** The code of one release, as the models of AWS run it: what composes each of its functions, and the error by which its API refuses. */
export const THIS_RELEASE = {
  composeApiStore,
  composeDirectKeys,
  composeEnqueue,
  composeRecord,
  composeResync,
  composeSync,
  ApiError,
};

export type Release = typeof THIS_RELEASE;
