import { openCloud } from '../openCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeEnqueue } from './composeEnqueue.ts';

/** What the objects' stream calls. */
export const handler = composeEnqueue(readEnvironment('enqueue', process.env), openCloud());
