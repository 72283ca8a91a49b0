import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../infra/local/startControlPlane.ts';
import type { AuditLevel } from '../../../lambdas/objects/audit/AuditEvent.ts';
import { MemoryAuditLog } from '../../support/MemoryAuditLog.ts';
import { ruleFor, webhookConfiguration } from '../../support/webhookConfiguration.ts';
import { patchResponse, WebhookServer } from '../../support/WebhookServer.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const AUTHORIZATION = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' };

let server: WebhookServer;
let controlPlane: ControlPlane | undefined;
beforeAll(async () => {
  server = await WebhookServer.start();
});
afterEach(async () => await controlPlane?.stop());
afterAll(async () => await server.stop());

/** A control plane whose creations of ConfigMaps are audited. */
async function start(level: AuditLevel): Promise<MemoryAuditLog> {
  const log = new MemoryAuditLog();
  const resources = [{ group: '', resources: ['configmaps'] }];
  const policy = { omitStages: ['RequestReceived'] as const, rules: [{ level, verbs: ['create'], resources }] };
  controlPlane = await startControlPlane({
    audit: { policy, log, maxObjectCharacters: Number.POSITIVE_INFINITY, remoteAddressOf: () => undefined },
  });
  return log;
}

async function create(path: string, object: object): Promise<number> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) };
  const response = await controlPlane?.fetch(new Request(`http://127.0.0.1${path}`, init));
  return response?.status ?? 0;
}

async function configure(kind: 'Mutating' | 'Validating', name: string, more: object = {}): Promise<void> {
  const configuration = webhookConfiguration(kind, name, server, { rules: [ruleFor(['configmaps'])], ...more });
  expect(await create(`${ADMISSION}/${kind.toLowerCase()}webhookconfigurations`, configuration)).toBe(201);
}

const annotationsOf = (log: MemoryAuditLog) => log.events.at(-1).annotations as Record<string, string>;

test('what webhooks do and say is in the event of the request, a patch from the level Request on', async () => {
  server.on('/gone', () => 'no review');
  server.on('/missing', () => 'no review');
  server.on('/look', () => ({ allowed: true }));
  server.on('/label', () => ({
    ...patchResponse({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }),
    auditAnnotations: { team: 'a', 'no/key': 'b' },
  }));
  const patch = '[{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}]';
  for (const level of ['Metadata', 'Request'] as const) {
    const log = await start(level);
    await configure('Mutating', 'gone', { failurePolicy: 'Ignore' });
    await configure('Mutating', 'label');
    await configure('Mutating', 'look');
    await configure('Validating', 'missing', { failurePolicy: 'Ignore' });
    expect(await create(CONFIG_MAPS, { metadata: { name: 'one' } })).toBe(201);
    expect(annotationsOf(log)).toEqual({
      ...AUTHORIZATION,
      'label.example.com/team': 'a',
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_0': 'gone.example.com',
      'mutation.webhook.admission.k8s.io/round_0_index_0': mutation('gone', false),
      'mutation.webhook.admission.k8s.io/round_0_index_1': mutation('label', true),
      'mutation.webhook.admission.k8s.io/round_0_index_2': mutation('look', false),
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'missing.example.com',
      ...(level === 'Request' && {
        'patch.webhook.admission.k8s.io/round_0_index_1': `{"configuration":"label","webhook":"label.example.com","patch":${patch},"patchType":"JSONPatch"}`,
      }),
    });
    await controlPlane?.stop();
  }
});

function mutation(name: string, mutated: boolean): string {
  return JSON.stringify({ configuration: name, webhook: `${name}.example.com`, mutated });
}

test('what a policy that audits would refuse is in the event of the request', async () => {
  const log = await start('Metadata');
  const matchConstraints = {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  };
  const validations = [{ expression: 'has(object.data)', message: 'no data' }];
  const auditAnnotations = [{ key: 'name', valueExpression: 'string(object.metadata.name)' }];
  const spec = { matchConstraints, validations, auditAnnotations };
  await create(`${ADMISSION}/validatingadmissionpolicies`, { metadata: { name: 'with-data' }, spec });
  const bound = { policyName: 'with-data', validationActions: ['Audit'] };
  await create(`${ADMISSION}/validatingadmissionpolicybindings`, { metadata: { name: 'all' }, spec: bound });
  expect(await create(CONFIG_MAPS, { metadata: { name: 'one' } })).toBe(201);
  expect(annotationsOf(log)).toEqual({
    ...AUTHORIZATION,
    'validation.policy.admission.k8s.io/validation_failure':
      '[{"message":"no data","policy":"with-data","binding":"all","expressionIndex":0,"validationActions":["Audit"]}]',
    'with-data/name': 'one',
  });
});
