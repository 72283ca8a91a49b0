import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { SIGNING_REQUESTS, type SigningRequest } from '../csrapproving/SigningRequest.ts';
import { deleteWhenExpired } from '../deleteWhenExpired.ts';
import { reportDone } from './requestCleanerReasons.ts';
import { decideCleaning } from './decideCleaning.ts';

/** Kubernetes' CSR cleaner: deletes old requests for certificates. Kubernetes looks at all of them each hour; here each has a key that waits for its time. */
export function createRequestCleaner(): Controller<SyncContext> {
  return {
    name: 'csrcleaner',
    resources: [SIGNING_REQUESTS],
    watches: [SIGNING_REQUESTS],
    keysFor: (change: Change) =>
      change.type === 'DELETED' ? [] : [{ key: keyOf(subjectOf(change) as SigningRequest) }],
    keysToResync: (request) => [keyOf(request as SigningRequest)],
    sync: syncRequest,
  };
}

function keyOf({ metadata }: SigningRequest): WorkKey {
  return { controller: 'csrcleaner', namespace: '', name: metadata.name };
}

async function syncRequest({ name }: WorkKey, context: SyncContext): Promise<SyncReport> {
  const place = { resource: SIGNING_REQUESTS, namespace: '', name };
  const request = await context.registry.get<SigningRequest>(place);
  if (!request) return reportDone({ reason: 'isGone' });
  return await deleteWhenExpired(context, place, request, {
    delayMs: decideCleaning(request, context.nowMs),
    stays: reportDone({ reason: 'requestStays' }),
    expired: reportDone({ reason: 'requestHasExpired' }),
  });
}
