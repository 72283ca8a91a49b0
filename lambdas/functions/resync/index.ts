import { openStreams } from '../../adapters/aws/log/openStreams.ts';
import { openCloud } from '../openCloud.ts';
import { logSetupProblems } from '../logSetupProblems.ts';
import { readEnvironment } from '../readEnvironment.ts';
import { composeResync } from './composeResync.ts';

const cloud = openCloud();
const streams = openStreams(logSetupProblems(cloud.log, cloud.clock));

/** Called by the schedules, and by the queue of records that were given up. */
export const handler = composeResync(readEnvironment('resync', process.env), cloud, streams);
