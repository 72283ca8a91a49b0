import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import type { TableCopies } from '../../infra/emulation/services/tableCopies.ts';
import type { Deployment, Pod } from '../../lambdas/objects/kinds.ts';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { webDeployment } from '../support/webDeployment.ts';
import { isCloud } from './serverArguments.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
const PODS = '/api/v1/namespaces/default/pods';
const PERIOD_MS = 200;
const PATIENCE_MS = 120_000;

interface PodList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Pod[];
}

describe.skipIf(!isCloud || missingJava() !== undefined)('the drill of a restore (npm run test:cloud)', () => {
  const running: Emulation[] = [];
  afterEach(async () => {
    for (const emulation of running.splice(0)) await emulation.stop();
  });

  async function start(restored?: Parameters<typeof startEmulation>[0]): Promise<Emulation> {
    const emulation = await startEmulation(restored);
    running.push(emulation);
    return emulation;
  }

  async function call<T>(emulation: Emulation, method: string, path: string, body?: object): Promise<[number, T]> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { authorization: `Bearer ${emulation.token()}`, 'content-type': contentType };
    const answer = await fetch(emulation.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return [answer.status, (await answer.json()) as T];
  }

  /** Asks until the answer is as wanted. */
  async function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await ask();
      if (isWanted(answer)) return answer;
      if (Date.now() > endMs) throw new Error(`still: ${JSON.stringify(answer).slice(0, 2000)}`);
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
    }
  }

  const isRolledOut = ([, { spec, status = {}, metadata }]: [number, Deployment]) =>
    status.observedGeneration === metadata.generation &&
    status.availableReplicas === spec?.replicas &&
    status.updatedReplicas === spec?.replicas &&
    status.replicas === spec?.replicas;

  const rolledOut = async (emulation: Emulation) =>
    await eventually(() => call<Deployment>(emulation, 'GET', DEPLOYMENT), isRolledOut);

  const list = async (emulation: Emulation) =>
    (
      await eventually(
        () => call<PodList>(emulation, 'GET', PODS),
        ([code]) => code === 200,
      )
    )[1];

  const namesOf = ({ items }: PodList) => items.map(({ metadata }) => metadata.name).sort();

  /** Runs a control plane, takes copies of its tables at three times, and loses it. */
  async function lose() {
    const lost = await start();
    const early = await lost.copyTables();
    expect((await call(lost, 'POST', DEPLOYMENT.replace('/web', ''), webDeployment('web:1', 3)))[0]).toBe(201);
    await rolledOut(lost);
    const middle = await lost.copyTables();
    const kept = namesOf(await list(lost));
    // What happens after the copy is lost, but a client has seen it.
    await call(lost, 'PATCH', DEPLOYMENT, { spec: { replicas: 4 } });
    await rolledOut(lost);
    const late = await lost.copyTables();
    const { resourceVersion } = (await list(lost)).metadata;
    await running.pop()?.stop();
    return { early, middle, late, kept, resourceVersion };
  }

  const table = (copies: TableCopies, name: string) => copies[name] ?? { schema: {}, items: [] };

  let copies: Awaited<ReturnType<typeof lose>>;
  beforeAll(async () => {
    copies = await lose();
  }, 600_000);

  it.each(['of its objects only', 'of all tables, each of another age'])(
    'brings a control plane back from copies %s: clients list again, and rollouts go on',
    async (which) => {
      const { early, middle, late, kept, resourceVersion } = copies;
      const objects = table(middle, 'ObjectsTable');
      const others = {
        versions: table(early, 'VersionsTable'),
        namespaces: table(early, 'NamespacesTable'),
        log: table(late, 'LogTable'),
        keys: table(early, 'KeysTable'),
      };
      const restored = await start({
        restored: which === 'of its objects only' ? { objects } : { objects, ...others },
      });
      // A watch from a position of the lost control plane expires, so its client lists again.
      const watch = `${PODS}?watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
      await eventually(
        async () => {
          const headers = { authorization: `Bearer ${restored.token()}` };
          return await (await fetch(restored.url + watch, { headers })).text();
        },
        (text) => text.includes('"code":410'),
      );
      expect(namesOf(await list(restored))).toEqual(kept);
      const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } };
      expect((await call(restored, 'PATCH', DEPLOYMENT, image))[0]).toBe(200);
      await rolledOut(restored);
      const pods = await eventually(
        () => list(restored),
        ({ items }) => items.length === 3,
      );
      expect(pods.items.map(({ spec }) => spec?.containers[0]?.image)).toEqual(['web:2', 'web:2', 'web:2']);
    },
    300_000,
  );
});
