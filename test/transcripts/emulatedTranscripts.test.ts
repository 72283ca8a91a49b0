import { afterAll, beforeAll, describe, test } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { DEFINITIONS_REMEMBER_MS } from '../../lambdas/functions/limits.ts';
import { startEmulated, type Target } from '../attacks/targets.ts';
import { isCloud } from '../e2e/serverArguments.ts';
import { expectRecorded } from './expectRecorded.ts';
import { readRecordings, type Recording, type Step } from './Recording.ts';
import type { PlayedServer } from './playScenario.ts';

/** What controllers act on, which cannot be switched off in the cloud: the recordings were made without them. */
const WORKLOADS = /\/(deployments|replicasets|replicationcontrollers|pods|services|endpoints|resourcequotas|nodes)\b/;

function isLeftAlone({ setup = [], steps }: Recording): boolean {
  const writes = ({ path, method, patch }: Step) =>
    (method ?? (patch ? 'PATCH' : 'GET')) !== 'GET' && WORKLOADS.test(path);
  return ![...setup, ...steps].some((step) => writes(step) || step.watch?.meanwhile?.some(writes));
}

describe.skipIf(!isCloud || missingJava() !== undefined)(
  'the emulated cloud answers as a real API server (npm run test:cloud)',
  () => {
    let target: Target;
    let server: PlayedServer;
    beforeAll(async () => {
      target = await startEmulated();
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

    test.concurrent.each(readRecordings().filter(isLeftAlone))(
      '$name: $about',
      (recording) => expectRecorded(server, recording),
      300_000,
    );
  },
);
