import { openCloud } from '../composeCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeResync } from './composeResync.ts';

/** Called by the schedules, and by the queue of records that were given up. */
export const handler = composeResync(readEnvironment('resync', process.env), openCloud());
