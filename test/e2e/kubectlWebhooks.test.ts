import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { ruleFor, webhookConfiguration } from '../support/webhookConfiguration.ts';
import { patchResponse, type ReceivedReview, WebhookServer } from '../support/WebhookServer.ts';
import { outdatedReadsForgotten } from './serverArguments.ts';

const POD = `
apiVersion: v1
kind: Pod
metadata: {name: NAME, labels: {app: web}}
spec: {containers: [{name: main, image: 'nginx:1'}]}
`;
const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: 'nginx:1'}]}}
`;

describe.skipIf(!hasKubectl)('kubectl and admission webhooks', () => {
  let server: WebhookServer;
  beforeAll(async () => {
    server = await WebhookServer.start();
  });
  afterAll(() => server.stop());
  const { kubectl, run } = kubectlServer({ prepare: (kubectl) => kubectl('create namespace hooked') });

  /** Asked about pods in one namespace. */
  const more = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'hooked' } },
    rules: [ruleFor(['pods'], { operations: ['CREATE'] })],
  };

  beforeEach(async () => {
    server.forget();
    await kubectl('delete mutatingwebhookconfigurations,validatingwebhookconfigurations --all');
  });

  /** Applies a configuration, and waits until each function of the emulated cloud goes by it, and no longer by an earlier one. */
  async function configure(kind: 'Mutating' | 'Validating', name: string): Promise<void> {
    const input = JSON.stringify(webhookConfiguration(kind, name, server, more));
    await kubectl('apply -f -', { input });
    await outdatedReadsForgotten();
    await vi.waitFor(
      async () => {
        await run(['-n', 'hooked', 'create', '--dry-run=server', '-f', '-'], { input: pod('probe') });
        expect(server.reviewsOf(`/${name}`)).not.toEqual([]);
      },
      { timeout: 30_000, interval: 500 },
    );
  }

  const pod = (name: string) => POD.replace('NAME', name);

  it('prints configurations', async () => {
    server.on('/inject', () => ({ allowed: true }));
    await configure('Mutating', 'inject');
    expect(await kubectl('get mutatingwebhookconfigurations')).toMatch(/^NAME +WEBHOOKS +AGE\ninject +1 +\d+s\n$/);
    expect(await kubectl('get mutatingwebhookconfiguration inject -o jsonpath={.webhooks[0].timeoutSeconds}')).toBe(
      '10',
    );
  }, 240_000);

  it('injects a sidecar into the pods of a Deployment', async () => {
    const isReal = ({ request }: ReceivedReview) => !(request as { dryRun: boolean }).dryRun;
    server.on('/inject', () =>
      patchResponse({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'envoy:1' } }),
    );
    await configure('Mutating', 'inject');
    await kubectl('-n hooked apply -f -', { input: DEPLOYMENT });
    await kubectl('-n hooked rollout status deployment/web --timeout=90s');
    expect(await kubectl(`-n hooked get pods -o jsonpath={.items[*].spec.containers[*].name}`)).toBe(
      'main sidecar main sidecar',
    );
    expect(server.reviewsOf('/inject').filter(isReal).length).toBeGreaterThanOrEqual(2);
    await kubectl('-n hooked delete deployment web --cascade=foreground');
  }, 240_000);

  it('shows a denial and a warning, and that a webhook cannot be reached', async () => {
    server.on('/deny', () => ({
      allowed: false,
      warnings: ['nginx:1 is old'],
      status: { message: 'no team', code: 403, reason: 'Forbidden' },
    }));
    await configure('Validating', 'deny');
    const { code, stderr } = await run(['-n', 'hooked', 'create', '-f', '-'], { input: pod('one') });
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Warning: nginx:1 is old\nError from server (Forbidden): error when creating "STDIN": admission webhook "deny.example.com" denied the request: no team\n',
    );
    server.forget();
    const failed = await run(['-n', 'hooked', 'create', '-f', '-'], { input: pod('one') });
    expect(failed.stderr).toContain(
      'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "deny.example.com": failed to call webhook: ',
    );
  }, 240_000);
});
