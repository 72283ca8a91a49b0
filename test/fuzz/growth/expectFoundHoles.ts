import { beforeAll, describe, test } from 'vitest';
import { serveWidgets } from '../../rest/serveWidgets.ts';
import { configMap } from '../../rest/startApi.ts';
import { expectBoundedGrowth } from './expectBoundedGrowth.ts';
import { patched } from './foundHoles.ts';
import type { FoundHole } from './growingBodies.ts';
import { MeasuredApi } from './MeasuredApi.ts';

const SELECTED_OBJECTS = 200;

/** An API with what is patched, and with some objects to select. */
export async function startMeasured(): Promise<MeasuredApi> {
  const measured = await MeasuredApi.start();
  const { api } = measured;
  await api.call('POST', '/api/v1/namespaces/default/configmaps', patched.configMap);
  await api.call('POST', '/apis/apps/v1/namespaces/default/deployments', patched.deployment);
  for (let at = 0; at < SELECTED_OBJECTS; at += 1)
    await api.call('POST', '/api/v1/namespaces/other/configmaps', configMap(`o${at}`));
  return measured;
}

/** Defines a test for each of these findings. */
export function expectFoundHoles(holes: readonly FoundHole[]): void {
  describe('what a request takes grows with its size, and no faster, or it is refused', { timeout: 60_000 }, () => {
    let measured: MeasuredApi;
    beforeAll(async () => {
      measured = await startMeasured();
    });
    test.each(holes.map((hole) => [hole.name, hole] as const))('%s', async (_name, hole) => {
      if (hole.items) await serveWidgets(measured.api, schemaOf(hole.items));
      await expectBoundedGrowth(measured, hole);
    });
  });
}

/** The schema of a custom object whose `spec.items` are such. */
export function schemaOf(items: object): object {
  const spec = { type: 'object', properties: { items: { type: 'array', maxItems: 100_000, items } } };
  return { type: 'object', properties: { spec } };
}
