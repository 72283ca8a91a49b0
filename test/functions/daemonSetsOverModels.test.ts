import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { DaemonSet, Pod } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { daemonSetManifest } from '../support/daemonSetFixtures.ts';

const DAEMON_SET = { resource: 'daemonsets.apps', namespace: 'default', name: 'agent' } as const;

test('a DaemonSet is rolled out and updated in the functions over models of the services', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 3);
  await stack.finish(() => registry.create(DAEMON_SET.resource, daemonSetManifest()));
  await stack.pass(60_000);
  const read = async () => {
    let pods: readonly Pod[] = [];
    let daemonSet: DaemonSet | undefined;
    await stack.finish(async () => {
      daemonSet = await registry.get<DaemonSet>(DAEMON_SET);
      pods = (await registry.list<Pod>('pods', { namespace: 'default' })).items;
    });
    const images = pods.map(({ spec }) => `${spec?.nodeName} ${spec?.containers[0]?.image}`);
    return { daemonSet, images: images.toSorted() };
  };
  const first = await read();
  const nodes = first.images.map((text) => text.split(' ')[0]);
  expect([nodes.length, new Set(nodes).size]).toEqual([3, 3]);
  expect(first.daemonSet?.status).toMatchObject({ desiredNumberScheduled: 3, numberAvailable: 3 });
  const template = daemonSetManifest({}, { containers: [{ name: 'main', image: 'agent:2' }] }).spec.template;
  const updated = { ...first.daemonSet, spec: { ...first.daemonSet?.spec, template } } as DaemonSet;
  await stack.finish(() => registry.update(DAEMON_SET.resource, updated));
  await stack.pass(3 * 60_000);
  const second = await read();
  expect(second.images).toEqual(nodes.map((node) => `${node} agent:2`));
  expect(second.daemonSet?.status).toMatchObject({
    updatedNumberScheduled: 3,
    numberAvailable: 3,
    observedGeneration: 2,
  });
}, 120_000);
