import { expect, test } from 'vitest';
import { dropLater } from '../../../lambdas/rest/schema/dropLater.ts';
import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import type { Schema } from '../../../lambdas/rest/schema/schemaOf.ts';

const POD_OF_132 = kindSchema('v1', 'Pod', '1.32') as Schema;

function podWith(spec: object, status: object = {}) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } }, spec, status };
}

test.each([
  ['a field of a struct', { hostUsers: false, hostname: 'web' }, { hostname: 'web' }],
  [
    'a field of the items of a list',
    { containers: [{ name: 'a', resizePolicy: [] }, { name: 'b' }] },
    { containers: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'a field of a struct within an item',
    { containers: [{ name: 'a', lifecycle: { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } } }] },
    { containers: [{ name: 'a', lifecycle: { preStop: { sleep: { seconds: 1 } } } }] },
  ],
  [
    'a field of a struct that JSON writes into its parent',
    {
      ephemeralContainers: [{ name: 'debug', resizePolicy: [], targetContainerName: 'a' }],
      volumes: [{ name: 'model', image: { reference: 'models/small' } }],
    },
    { ephemeralContainers: [{ name: 'debug', targetContainerName: 'a' }], volumes: [{ name: 'model' }] },
  ],
])('%s that came later is dropped', (_, spec, kept) => {
  const pod = podWith(spec);
  dropLater(pod, POD_OF_132);
  expect(pod).toEqual(podWith(kept));
});

test('a part that another object shares stays as it is, and a part without later fields is not copied', () => {
  const containers = Object.freeze([Object.freeze({ name: 'a', resizePolicy: Object.freeze([]) })]);
  const tolerations = Object.freeze([Object.freeze({ operator: 'Exists' })]);
  const pod = podWith(Object.freeze({ containers, tolerations }));
  dropLater(pod, POD_OF_132);
  expect(pod.spec).toEqual({ containers: [{ name: 'a' }], tolerations: [{ operator: 'Exists' }] });
  expect((pod.spec as { tolerations?: object }).tolerations).toBe(tolerations);
  expect(containers[0]).toEqual({ name: 'a', resizePolicy: [] });
});
