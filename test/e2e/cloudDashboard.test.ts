import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { startEmulation } from '../../infra/emulation/startEmulation.ts';
import { DashboardProcess } from '../support/DashboardProcess.ts';
import { withExecCredentials } from '../support/execCredentials.ts';
import { hasKubectl, kubectlFor } from '../support/kubectl.ts';
import { webDeployment } from '../support/webDeployment.ts';
import { isCloud } from './serverArguments.ts';

const WEB = '/deployments/default/web';

describe.skipIf(!isCloud || missingJava() !== undefined || !hasKubectl)(
  'driftless dashboard (npm run test:cloud, with kubectl)',
  () => {
    test('shows a rollout in the cloud with the credentials of a program, and computes why it waits', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'driftless-dashboard-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const emulation = await startEmulation();
      onTestFinished(() => emulation.stop());
      const kubeconfig = join(directory, 'kubeconfig');
      writeFileSync(kubeconfig, withExecCredentials(emulation.kubeconfig(''), emulation.token(), directory));
      const kubectl = kubectlFor(kubeconfig);
      const dashboard = await DashboardProcess.start(['--kubeconfig', kubeconfig]);
      expect(dashboard.printed).toContain('shows the context driftless, http');
      expect(await (await dashboard.call('/server')).json()).toMatchObject({ isDriftless: true, isVirtual: false });
      const next = await dashboard.follow(`${WEB}/stream`);
      await kubectl('create -f -', { input: JSON.stringify(webDeployment('nginx:1', 2)) });
      await next(({ pods }) => pods.filter(({ state }) => state === 'available').length === 2);
      const why = await (await dashboard.call(`${WEB}/why`)).json();
      expect(why).toMatchObject({ isOwn: false, rollout: { waitsFor: expect.any(Array) }, stuckPods: [] });
      const act = { method: 'POST', body: JSON.stringify({ act: 'scale', replicas: 3, dryRun: false }) };
      expect(await (await dashboard.call(`${WEB}/act`, act)).json()).toMatchObject({ is: 'done' });
      expect(await kubectl('get deployment web -o jsonpath={.spec.replicas}')).toBe('3');
      await next(({ workloads }) => workloads.some(({ available }) => available === 3));
      expect(await dashboard.end('SIGTERM')).toMatchObject({ code: 0 });
    }, 300_000);
  },
);
