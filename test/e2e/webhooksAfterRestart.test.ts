import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startTestCluster } from '../support/startTestCluster.ts';
import { ruleFor, webhookConfiguration } from '../support/webhookConfiguration.ts';
import { WebhookServer } from '../support/WebhookServer.ts';

const directory = mkdtempSync(join(tmpdir(), 'driftless-webhooks-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a server starts again while a webhook about everything is down, and still asks it', async () => {
  const server = await WebhookServer.start();
  server.on('/all', () => ({ allowed: true }));
  const first = await startTestCluster({ dataDir: directory, clock: 'virtual' });
  const rules = [ruleFor(['*'])];
  await first.apply(webhookConfiguration('Validating', 'all', server, { rules }));
  await first.stop();
  await server.stop();
  const second = await startTestCluster({ dataDir: directory, clock: 'virtual' });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one' },
    spec: { containers: [{ name: 'a', image: 'b' }] },
  };
  await expect(second.apply(pod)).rejects.toThrow('failed calling webhook "all.example.com"');
  await second.delete('validatingwebhookconfigurations/all');
  await second.apply(pod);
  expect((await second.get('pods/one')).metadata?.name).toBe('one');
}, 30_000);
