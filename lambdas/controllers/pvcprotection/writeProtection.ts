import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { withProtection } from '../../objects/storageProtection.ts';
import type { SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { type Reason, reasonInWords } from './protectionReasons.ts';

/** Gives an object its protection or takes it away, in one conditional write. */
export async function writeProtection(
  registry: GuardedRegistry,
  resource: GroupResource,
  object: KubernetesObject,
  finalizer: string,
  step: 'protect' | 'release',
): Promise<SyncReport> {
  const { namespace = '', name } = object.metadata;
  const outcome = await registry.update(resource, withProtection(object, finalizer, step), { from: object });
  if (outcome.status === 'stored')
    return {
      ...protectionReport({ reason: step === 'protect' ? 'isProtectedNow' : 'isUsedByNobody' }),
      writes: [`${step} ${resource} ${namespace}/${name}`],
    };
  if (outcome.error.reason === 'NotFound') return protectionReport({ reason: 'isGone' });
  if (outcome.error.reason !== 'Conflict') throw outcome.error;
  return { ...protectionReport({ reason: 'changedMeanwhile' }), outcome: { status: 'conflict' } };
}

/** The report of a sync that wrote nothing. */
export function protectionReport(reason: Reason): SyncReport {
  return { outcome: { status: 'done' }, why: [reasonInWords(reason)], writes: [] };
}
