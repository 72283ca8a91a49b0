import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbRequestLimits } from '../../../../lambdas/adapters/aws/limits/DynamoDbRequestLimits.ts';
import { LOG_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import type { Clock } from '../../../../lambdas/ports/Clock.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

/** By how much two clocks of a bench differ at most. */
export const CLOCKS_DIFFER_MS = 2_000;

/** Processes with request limits over one model of DynamoDB. */
export class LimitsBench {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));
  /** How many commands were sent: each is a write unit. */
  writes = 0;
  /** What the table answers instead, as long as it is set. */
  fails: (() => Promise<never>) | undefined;
  readonly reported: unknown[] = [];
  readonly #model = new DynamoModel({ clock: this.clock, random: new Random(1), physics: UNLIMITED });

  constructor() {
    this.#model.createTable('log', LOG_TABLE);
  }

  /** `aheadMs`: how far the process' clock is ahead of the others'. */
  openProcess(aheadMs = 0, clocksDifferMs = CLOCKS_DIFFER_MS): DynamoDbRequestLimits {
    const clock = aheadOf(this.clock, aheadMs);
    const client = {
      send: async (command: object) => {
        this.writes += 1;
        return (await this.fails?.()) ?? this.#model.execute(command);
      },
    } as unknown as DynamoDBClient;
    return new DynamoDbRequestLimits({
      calls: new DynamoDbCalls({ client, clock, ids: new SeededIds(1) }),
      logTable: 'log',
      clocksDifferMs,
      report: (line) => this.reported.push(line),
    });
  }
}

function aheadOf(clock: Clock, aheadMs: number): Clock {
  return {
    now: () => clock.now() + aheadMs,
    steadyMs: () => clock.steadyMs(),
    setTimer: (delayMs, wake) => clock.setTimer(delayMs, wake),
  };
}
