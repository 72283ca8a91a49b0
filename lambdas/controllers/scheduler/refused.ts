import type { ApiError } from '../../objects/ApiError.ts';
import type { Committed } from '../Committed.ts';

/** An object that is gone needs nothing more; one that has changed makes the sync observe again. Throws other refusals. */
export function refused(error: ApiError): Partial<Committed> {
  if (error.reason === 'NotFound') return {};
  if (error.reason === 'Conflict') return { mustReobserve: true };
  throw error;
}
