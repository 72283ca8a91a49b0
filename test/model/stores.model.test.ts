import { describe } from 'vitest';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { changeLogContract } from '../contracts/changeLogContract.ts';
import { objectStoreContract } from '../contracts/objectStoreContract.ts';
import { Random } from '../simulation/Random.ts';
import { CloudStoreBench } from '../support/CloudStoreBench.ts';
import { type DynamoPhysics, UNLIMITED } from './dynamo/DynamoPhysics.ts';
import { DynamoModel } from './DynamoModel.ts';
import { ModelHost } from './ModelHost.ts';

/** What the service may do at any time, and the emulator never does. */
const BEHIND: Partial<DynamoPhysics> = {
  staleReads: 0.5,
  staleMs: 30,
  streamLagMs: [0, 30],
  slowShard: 0.02,
  slowShardMs: [50, 300],
};

function open(physics: Partial<DynamoPhysics>): Promise<CloudStoreBench> {
  const random = new Random(1);
  const model = new DynamoModel({ clock: new SystemClock(), random, physics });
  return CloudStoreBench.open(new ModelHost(model, random));
}

describe('on the model of DynamoDB', () => {
  objectStoreContract('objects', () => open(UNLIMITED));
  changeLogContract('log', () => open(UNLIMITED));
});

describe('on the model of DynamoDB, with eventual reads and a stream that are behind', () => {
  changeLogContract('log', () => open({ ...UNLIMITED, ...BEHIND }));
});
