import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';

const configMap = (name: string): NewObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { level: 'high' },
});

const podWith = (name: string, spec: object): NewObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'main', image: 'nginx:1', ...spec }],
    volumes: [{ name: 'v', configMap: { name: 'mounted' } }],
  },
});

test('pods wait for their ConfigMaps in the functions over models of the services, and go on when these are there', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 2);
  const statesOf = async () => {
    let pods: readonly Pod[] = [];
    await stack.finish(async () => {
      pods = (await registry.list<Pod>('pods', { namespace: 'default' })).items;
    });
    return pods.map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason ?? status?.phase);
  };
  const variable = { env: [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } }] };
  await stack.finish(() => registry.create('pods', podWith('a', {})));
  await stack.finish(() => registry.create('pods', podWith('b', variable)));
  await stack.pass(60_000);
  expect(await statesOf()).toEqual(['ContainerCreating', 'ContainerCreating']);
  await stack.finish(() => registry.create('configmaps', configMap('mounted')));
  // The functions of the queue and of the stream pass the change on in seconds; by itself a pod would try again after a minute.
  await stack.pass(10_000);
  expect(await statesOf()).toEqual(['Running', 'CreateContainerConfigError']);
  await stack.pass(60_000);
  await stack.finish(() => registry.create('configmaps', configMap('settings')));
  await stack.pass(10_000);
  expect(await statesOf()).toEqual(['Running', 'Running']);
}, 120_000);
