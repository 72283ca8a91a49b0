import { expect, test } from 'vitest';
import { planSmokeTest } from '../../../../infra/cdk/smokeTest/planSmokeTest.ts';

const DEFAULTS = { config: {}, nodes: 3, nodesJoin: false, endpoint: 'regional' } as const;
const MUTUAL_TLS = {
  name: 'k8s.example.com',
  certificateArn: 'arn',
  mutualTls: { truststoreUri: 's3://trust/store.pem', version: '1' },
};
const off = (...names: string[]) => ({
  controllers: Object.fromEntries(names.map((name) => [name, { enabled: false }])),
});

test.each([
  ['the defaults', {}, 'rollout', ''],
  ['no simulated nodes', { nodes: 0 }, 'requests', 'there are no simulated nodes'],
  ['no Deployments', { config: off('deployment') }, 'requests', 'the controller deployment is switched off'],
  [
    'another scheduler and no nodes',
    { config: off('scheduler'), nodes: 0 },
    'requests',
    'the controller scheduler is switched off, there are no simulated nodes',
  ],
  ['a controller that no pod needs', { config: off('cronjob') }, 'rollout', ''],
  ['namespaces that stay', { config: off('namespace') }, 'rollout', ''],
  [
    'a private API',
    { endpoint: 'private' as const },
    'nothing',
    'the API is reached only from its VPC, in which the test is not',
  ],
  ['mutual TLS', { domain: MUTUAL_TLS }, 'nothing', 'the API asks for a certificate, which the test has not'],
  ['no apps', { config: { apiVersions: { 'apps/v1': false } } }, 'nothing', 'apps/v1 is not served'],
])('with %s the smoke test checks what it can', (_, knobs, checks, because) => {
  expect(planSmokeTest({ ...DEFAULTS, ...knobs })).toEqual({ checks, because, nodeNames: [] });
});

test('with other nodes than simulated ones, its pods are bound to those', () => {
  expect(planSmokeTest({ ...DEFAULTS, nodes: 2, nodesJoin: true }).nodeNames).toEqual([
    'driftless-node-1',
    'driftless-node-2',
  ]);
});
