import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { expectRecorded, RESTING_CONTROLLERS } from './expectRecorded.ts';
import type { PlayedServer } from './playScenario.ts';
import { readRecordings } from './Recording.ts';

let cluster: Cluster;
let server: PlayedServer;
beforeAll(async () => {
  cluster = await startCluster({ controllers: Object.fromEntries(RESTING_CONTROLLERS.map((name) => [name, false])) });
  const port = Number(new URL(cluster.url).port);
  server = { composition: 'embedded', port, headers: {}, patience: 5, rememberMs: 0 };
});
afterAll(() => cluster.stop());

describe('the server of one machine answers as a real API server', () => {
  test.concurrent.each(readRecordings())('$name: $about', (recording) => expectRecorded(server, recording), 60_000);
});
