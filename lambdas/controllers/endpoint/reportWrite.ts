import type { ApiError } from '../../objects/ApiError.ts';
import type { SyncReport } from '../Controller.ts';
import { reportDone } from './endpointReasons.ts';

/** What ended a write that the controller need not repeat: the namespace is being deleted. */
const NOT_NEEDED = ['Forbidden'];
const CONFLICTS = ['AlreadyExists', 'Conflict', 'NotFound'];

type Written = { readonly status: string; readonly error?: ApiError };

/** Reports a write of endpoints: stored, overtaken by another writer, or not needed any more. Throws other refusals, so that the key is retried. */
export function reportWrite(outcome: Written, write: string): SyncReport {
  if (outcome.error === undefined) return reportDone({ reason: 'endpointsChanged' }, [write]);
  if (NOT_NEEDED.includes(outcome.error.reason) && isTerminating(outcome.error))
    return reportDone({ reason: 'namespaceIsNotActive' });
  if (!CONFLICTS.includes(outcome.error.reason)) throw outcome.error;
  return { ...reportDone({ reason: 'changedMeanwhile' }), outcome: { status: 'conflict' } };
}

function isTerminating({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
