import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { Deployment, HorizontalPodAutoscaler } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { autoscalerManifest, loadedDeployment } from '../support/autoscalerFixtures.ts';

const AUTOSCALER = { resource: 'horizontalpodautoscalers.autoscaling', namespace: 'default', name: 'web' } as const;
const DEPLOYMENT = { resource: 'deployments.apps', namespace: 'default', name: 'web' } as const;

test('an autoscaler follows a load in the functions over models of the services', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 2);
  await stack.finish(async () => {
    await registry.create(DEPLOYMENT.resource, loadedDeployment(1, { 'load-cpu': '0s=40m,3m=200m,6m=40m' }));
    await registry.create(AUTOSCALER.resource, autoscalerManifest());
  });
  const replicas = async () => {
    let deployment: Deployment | undefined;
    await stack.finish(async () => {
      deployment = await registry.get<Deployment>(DEPLOYMENT);
    });
    return deployment?.spec?.replicas;
  };
  await stack.pass(2 * 60_000);
  expect(await replicas()).toBe(1);
  await stack.pass(3 * 60_000);
  expect(await replicas()).toBe(4);
  // The load has fallen for three minutes, but a higher recommendation counts for five.
  await stack.pass(4 * 60_000);
  expect(await replicas()).toBe(4);
  await stack.pass(4 * 60_000);
  expect(await replicas()).toBe(1);
  let autoscaler: HorizontalPodAutoscaler | undefined;
  await stack.finish(async () => {
    autoscaler = await registry.get<HorizontalPodAutoscaler>(AUTOSCALER);
  });
  expect(autoscaler?.status).toMatchObject({ currentReplicas: 1, desiredReplicas: 1 });
}, 240_000);
