import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { CLAIM_TEMPLATE, statefulSetManifest, templateOf } from '../support/statefulSetFixtures.ts';

const SET = { resource: 'statefulsets.apps', namespace: 'default', name: 'web' } as const;

test('a StatefulSet with claims is rolled out in the functions over models of the services', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 2);
  await stack.finish(() =>
    registry.create(SET.resource, statefulSetManifest({ volumeClaimTemplates: [CLAIM_TEMPLATE] })),
  );
  await stack.pass(2 * 60_000);
  await stack.finish(async () => {
    const set = (await registry.get<StatefulSet>(SET)) as StatefulSet;
    await registry.update(SET.resource, {
      ...set,
      spec: { ...set.spec, template: templateOf('nginx:2') },
    } as StatefulSet);
  });
  await stack.pass(5 * 60_000);
  let set: StatefulSet | undefined;
  let pods: readonly Pod[] = [];
  let claims: readonly PersistentVolumeClaim[] = [];
  await stack.finish(async () => {
    set = await registry.get<StatefulSet>(SET);
    pods = (await registry.list<Pod>('pods', { namespace: 'default' })).items;
    claims = (await registry.list<PersistentVolumeClaim>('persistentvolumeclaims', { namespace: 'default' })).items;
  });
  expect(pods.map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`)).toEqual([
    'web-0 nginx:2',
    'web-1 nginx:2',
    'web-2 nginx:2',
  ]);
  expect(claims.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`)).toEqual([
    'data-web-0 Bound',
    'data-web-1 Bound',
    'data-web-2 Bound',
  ]);
  expect(set?.status).toMatchObject({ readyReplicas: 3, updatedReplicas: 3, currentReplicas: 3 });
  expect(set?.status?.currentRevision).toBe(set?.status?.updateRevision);
}, 120_000);
