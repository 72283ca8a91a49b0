import { afterAll, beforeAll, describe, test } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { DEFINITIONS_REMEMBER_MS } from '../../lambdas/functions/limits.ts';
import { parseControllers } from '../../infra/host/parseControllers.ts';
import { startEmulated, type Target } from '../attacks/targets.ts';
import { isCloud } from '../e2e/serverArguments.ts';
import { expectRecorded, RESTING_CONTROLLERS } from './expectRecorded.ts';
import { readRecordings } from './Recording.ts';
import type { PlayedServer } from './playScenario.ts';

describe.skipIf(!isCloud || missingJava() !== undefined)(
  'the emulated cloud answers as a real API server (npm run test:cloud)',
  () => {
    let target: Target;
    let server: PlayedServer;
    beforeAll(async () => {
      target = await startEmulated(parseControllers(RESTING_CONTROLLERS.map((name) => `-${name}`).join(',')));
      const headers = target.as('root');
      server = {
        composition: 'emulated',
        port: target.port,
        headers,
        patience: 10,
        rememberMs: DEFINITIONS_REMEMBER_MS,
      };
    }, 300_000);
    afterAll(() => target.stop());

    test.concurrent.each(readRecordings())('$name: $about', (recording) => expectRecorded(server, recording), 300_000);
  },
);
