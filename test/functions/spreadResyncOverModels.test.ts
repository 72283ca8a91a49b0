// Slow: thousands of keys are synced in the functions over models of the services.
import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import { encodeQueueMessage } from '../../lambdas/adapters/aws/queue/queueMessage.ts';
import { queueKeys } from '../../lambdas/functions/resync/queueAllKeys.ts';
import { SPREAD_KEYS_PER_SECOND } from '../../lambdas/functions/resync/spreadDelayMs.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { KeyToSend, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';
import { ModelStack } from '../bench/ModelStack.ts';

const KEYS = 6_000;
/** As those of a cluster with many objects in one namespace. Each costs what a look at an object costs for which nothing is to be done. */
const keys = Array.from(
  { length: KEYS },
  (_, at): WorkKey => ({
    controller: 'replicaset',
    namespace: 'default',
    name: `other-${at}`,
  }),
);

const WEB = { resource: 'deployments.apps', namespace: 'default', name: 'web' } as const;
const labels = { app: 'web' };
const MANIFEST = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

/** The stack with two batches of `sync`, the fewest, in the middle of a run over all keys. `sent`: the keys are spread. */
async function startResync(sent: number | undefined): Promise<ModelStack> {
  const stack = new ModelStack(parseStackProps({ syncMaxConcurrency: 2 }), () => {});
  await stack.bootstrap(['default'], 2);
  await stack.rest();
  const queue = stack.cloud.queues.work;
  const send = async (several: readonly KeyToSend[]) => {
    for (const one of several) {
      const { MessageBody: body = '', DelaySeconds = 0, MessageAttributes: attributes = {} } = encodeQueueMessage(one);
      queue.send({ body, delaySeconds: DelaySeconds, attributes });
    }
  };
  await queueKeys({ workQueue: { send } as WorkQueue }, keys, sent);
  return stack;
}

/** How long a Deployment of two pods that is created now takes. */
async function rolloutMs(stack: ModelStack): Promise<number> {
  const { registry } = stack.api;
  const beganMs = stack.scheduler.now();
  await stack.finish(() => registry.create(WEB.resource, MANIFEST));
  for (;;) {
    await stack.pass(500);
    let web: Deployment | undefined;
    await stack.finish(async () => {
      web = await registry.get<Deployment>(WEB);
    });
    if (web?.status?.availableReplicas === 2) return stack.scheduler.now() - beganMs;
  }
}

test('a run over all keys at once holds up others, and one that is spread does not, and syncs every key', async () => {
  const atOnce = await rolloutMs(await startResync(undefined));
  const stack = await startResync(0);
  const left = () => [...stack.cloud.queues.work.messages()].filter(({ body }) => body.includes('other-')).length;
  const spread = await rolloutMs(stack);
  // 10.6 s and 0.5 s.
  expect(atOnce).toBeGreaterThan(5_000);
  expect(spread).toBeLessThan(2_000);
  expect(left()).toBeGreaterThan(KEYS - 500);
  await stack.pass((KEYS / SPREAD_KEYS_PER_SECOND) * 1000);
  await stack.rest();
  expect(left()).toBe(0);
}, 300_000);
