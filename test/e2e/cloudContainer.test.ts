import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, kubectlFor, runKubectl } from '../support/kubectl.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { isCloud } from './serverArguments.ts';

/** More than a new account's concurrent executions. */
const WATCHES = 12;

describe.skipIf(!isCloud || !hasKubectl)('the API as a container in the emulated cloud (npm run test:cloud)', () => {
  let server: ServerProcess;
  let kubectl: ReturnType<typeof kubectlFor>;
  let authorization: string;

  beforeAll(async () => {
    server = await ServerProcess.start(['--emulate-cloud', '--api', 'container']);
    kubectl = kubectlFor(server.kubeconfig);
    authorization = `Bearer ${readFileSync(join(server.dataDir, 'token'), 'utf8')}`;
  }, 240_000);
  afterAll(() => server?.dispose());

  it('serves kubectl: a Deployment is created, rolled out and undone', async () => {
    await kubectl('create deployment web --image=nginx:1 --replicas=3');
    expect(await kubectl('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
    await kubectl('set image deployment/web nginx=nginx:2');
    expect(await kubectl('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
    await kubectl('rollout undo deployment/web');
    expect(await kubectl('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
  }, 200_000);

  it('knows its user only from the authorizer, and applies RBAC', async () => {
    const forged = { 'X-Driftless-Username': 'root', 'X-Driftless-Groups': '["system:masters"]' };
    expect((await fetch(`${server.baseUrl}/api/v1/secrets`, { headers: forged })).status).toBe(401);
    const asked = await runKubectl(server.kubeconfig, ['auth', 'can-i', 'delete', 'pods', '--as', 'jane']);
    expect(asked).toMatchObject({ code: 1, stdout: 'no\n' });
  });

  it('answers more watches than a new account has executions', async () => {
    const leave = new AbortController();
    const answers = await Promise.all(
      Array.from({ length: WATCHES }, () =>
        fetch(`${server.baseUrl}/api/v1/pods?watch=true`, { headers: { authorization }, signal: leave.signal }),
      ),
    );
    leave.abort();
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: WATCHES }, () => 200));
  });
});
