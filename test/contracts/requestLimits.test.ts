import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { EmbeddedRequestLimits } from '../../lambdas/adapters/embedded/EmbeddedRequestLimits.ts';
import { LimitsBench } from '../adapters/aws/limits/LimitsBench.ts';
import { requestLimitsContract } from './requestLimitsContract.ts';

requestLimitsContract('EmbeddedRequestLimits', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const limits = new EmbeddedRequestLimits(clock);
  return { clock, openProcess: () => limits };
});

requestLimitsContract('DynamoDbRequestLimits on the model of DynamoDB', () => {
  const bench = new LimitsBench();
  return { clock: bench.clock, openProcess: () => bench.openProcess() };
});
