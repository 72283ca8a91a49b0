import { openCloud } from '../openCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeRecord } from './composeRecord.ts';

/** Called with batches of the objects table's stream. */
export const handler = composeRecord(readEnvironment('record', process.env), openCloud());
