import { bootstrapTokenEndMs, isBootstrapToken, type Secret } from '../../objects/certificates/bootstrapToken.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { deleteWhenExpired } from '../deleteWhenExpired.ts';
import { reportDone } from './tokenCleanerReasons.ts';

/** Kubernetes' token cleaner: deletes a bootstrap token when it has ended. */
export function createTokenCleaner(): Controller<SyncContext> {
  return {
    name: 'tokencleaner',
    resources: ['secrets'],
    watches: ['secrets'],
    keysFor: (change: Change) => (change.type === 'DELETED' ? [] : keysOf(subjectOf(change)).map((key) => ({ key }))),
    keysToResync: keysOf,
    sync: syncToken,
  };
}

function keysOf(secret: KubernetesObject): readonly WorkKey[] {
  const { namespace = '', name } = secret.metadata;
  return endsSometime(secret) ? [{ controller: 'tokencleaner', namespace, name }] : [];
}

function endsSometime(secret: Secret): boolean {
  return isBootstrapToken(secret) && bootstrapTokenEndMs(secret) !== Number.POSITIVE_INFINITY;
}

/** `evalSecret`: deletes the token that was read, or waits for its end. */
async function syncToken({ namespace, name }: WorkKey, context: SyncContext): Promise<SyncReport> {
  const place = { resource: 'secrets', namespace, name };
  const secret = await context.registry.get<Secret>(place);
  if (!secret || !endsSometime(secret)) return reportDone({ reason: 'tokenStays' });
  return await deleteWhenExpired(context, place, secret, {
    delayMs: bootstrapTokenEndMs(secret) - context.nowMs,
    stays: reportDone({ reason: 'tokenStays' }),
    expired: reportDone({ reason: 'tokenHasExpired' }),
  });
}
