import { Metrics } from '@aws-lambda-powertools/metrics';
import { openCloud } from '../openCloud.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeSync } from './composeSync.ts';

/** The entry that the work queue's event source mapping calls. */
export const handler = composeSync(readEnvironment('sync', process.env), openCloud(), new Metrics());
