import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
- {level: None, nonResourceURLs: ['/api*', '/openapi*', '/version', '/readyz']}
- {level: Metadata, resources: [{group: '', resources: [secrets]}]}
- {level: RequestResponse, namespaces: [audited]}
`;

interface Event {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly userAgent: string;
  readonly objectRef?: { readonly resource: string; readonly name?: string };
  readonly responseStatus: { readonly code: number };
  readonly requestObject?: object;
  readonly responseObject?: object;
}

const directory = mkdtempSync(join(tmpdir(), 'driftless-audit-'));
afterAll(() => rmSync(directory, { recursive: true }));
const logPath = join(directory, 'audit.log');
const policyPath = join(directory, 'policy.yaml');
writeFileSync(policyPath, POLICY);

const events = () =>
  readFileSync(logPath, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event);

describe.skipIf(!hasKubectl)('kubectl with an audit log', () => {
  const args = ['--ephemeral', '--rbac', '--audit-log-path', logPath, '--audit-policy-file', policyPath];
  const { kubectl, run, start, inNamespace } = kubectlServer({ args });
  const find = (wanted: object) => events().find((event) => isPart(wanted, event));

  it(
    'leaves what it does in the file, as the policy says',
    inNamespace('audited', async ({ says }) => {
      await says('create secret generic hidden --from-literal=password=open-sesame');
      await says('create deployment web --image=nginx:1');
      await says('scale deployment web --replicas=2');
      await kubectl('create configmap elsewhere --from-literal=a=b');
      const created = find({ verb: 'create', objectRef: { resource: 'deployments', name: 'web' } });
      expect(created).toMatchObject({
        level: 'RequestResponse',
        stage: 'ResponseComplete',
        user: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
        sourceIPs: ['127.0.0.1'],
        userAgent: expect.stringContaining('kubectl') as unknown,
        responseStatus: { metadata: {}, code: 201 },
        requestObject: { kind: 'Deployment', metadata: { name: 'web' } },
        responseObject: { kind: 'Deployment', metadata: { namespace: 'audited' } },
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
      });
      expect(find({ verb: 'patch', objectRef: { resource: 'deployments', subresource: 'scale' } })).toMatchObject({
        requestObject: { spec: { replicas: 2 } },
        responseObject: { kind: 'Scale' },
      });
      expect(find({ objectRef: { resource: 'secrets', name: 'hidden' } })).toMatchObject({ level: 'Metadata' });
      const text = readFileSync(logPath, 'utf8');
      for (const hidden of ['open-sesame', Buffer.from('open-sesame').toString('base64'), 'managedFields', 'elsewhere'])
        expect(text).not.toContain(hidden);
    }),
    240_000,
  );

  it('has a refused request with the decision, and a watch with its begin and its end', async () => {
    const { code } = await run(['-n', 'audited', 'get', 'pods', '--as', 'ann']);
    expect(code).toBe(1);
    expect(find({ verb: 'list', impersonatedUser: { username: 'ann' } })).toMatchObject({
      responseStatus: { reason: 'Forbidden', code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    });
    const watch = start(['-n', 'audited', 'get', 'pods', '-w']);
    await expect.poll(() => find({ verb: 'watch', stage: 'ResponseStarted' }), { timeout: 60_000 }).toBeDefined();
    watch.end();
    await expect.poll(() => find({ verb: 'watch', stage: 'ResponseComplete' }), { timeout: 60_000 }).toBeDefined();
  }, 240_000);
});

/** True if all that is wanted is in the value. */
function isPart(wanted: object, value: unknown): boolean {
  return Object.entries(wanted).every(([name, part]) => {
    const found = (Object(value) as Record<string, unknown>)[name];
    return typeof part === 'object' && part !== null ? isPart(part as object, found) : found === part;
  });
}
