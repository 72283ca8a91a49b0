import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import type { TableCopies } from '../../infra/emulation/services/tableCopies.ts';
import type { Deployment, Pod } from '../../lambdas/objects/kinds.ts';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { webDeployment } from '../support/webDeployment.ts';
import { isCloud } from './serverArguments.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
const PODS = '/api/v1/namespaces/default/pods';
const READY_AFTER = 'simulate.driftless.dev/ready-after';
const PERIOD_MS = 200;
const PATIENCE_MS = 180_000;

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

  const deploymentOf = (emulation: Emulation) => call<Deployment>(emulation, 'GET', DEPLOYMENT);
  const rolledOut = (emulation: Emulation) => eventually(() => deploymentOf(emulation), isRolledOut);

  const list = async (emulation: Emulation) =>
    (
      await eventually(
        () => call<PodList>(emulation, 'GET', PODS),
        ([code]) => code === 200,
      )
    )[1];

  const namesOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name).sort();
  const imageOf = ({ spec }: Pod) => spec?.containers[0]?.image;
  const updatedIs = (count: number) => (deployment: [number, Deployment]) =>
    deployment[1].status?.updatedReplicas === count;

  /** Changes the image. Each new pod becomes ready after so long; at once by default. */
  async function setImage(emulation: Emulation, image: string, readyAfter: string | null = null): Promise<void> {
    const template = {
      metadata: { annotations: { [READY_AFTER]: readyAfter } },
      spec: { containers: [{ name: 'web', image }] },
    };
    expect((await call(emulation, 'PATCH', DEPLOYMENT, { spec: { template } }))[0]).toBe(200);
  }

  /** Takes copies while the first pod of a rollout starts, and returns the pods that they have. */
  async function copyDuringRollout(emulation: Emulation) {
    await setImage(emulation, 'web:2', '15s');
    await eventually(() => deploymentOf(emulation), updatedIs(1));
    for (;;) {
      const { items } = await list(emulation);
      const copied = await emulation.copyTables();
      expect(new Set(items.map(imageOf))).toEqual(new Set(['web:1', 'web:2']));
      // A pod that came or went meanwhile may be in the copies or not.
      if (isDeepStrictEqual(namesOf((await list(emulation)).items), namesOf(items))) return { copied, kept: items };
    }
  }

  /** Runs a control plane, takes copies of its tables at five times, the third one in the middle of a rollout, and loses it in the middle of that rollout. */
  async function lose() {
    const lost = await start();
    const first = await lost.copyTables();
    expect((await call(lost, 'POST', DEPLOYMENT.replace('/web', ''), webDeployment('web:1', 3)))[0]).toBe(201);
    await rolledOut(lost);
    const second = await lost.copyTables();
    const { copied: third, kept } = await copyDuringRollout(lost);
    // What happens after the copy is lost, but a client has seen it.
    await eventually(() => deploymentOf(lost), updatedIs(2));
    const fourth = await lost.copyTables();
    await call(lost, 'PATCH', DEPLOYMENT, { spec: { replicas: 4 } });
    await eventually(
      () => list(lost),
      ({ items }) => items.length === 5,
    );
    const fifth = await lost.copyTables();
    const { resourceVersion } = (await list(lost)).metadata;
    await running.pop()?.stop();
    return { first, second, third, fourth, fifth, kept, resourceVersion };
  }

  const table = (copies: TableCopies, name: string) => copies[name] ?? { schema: {}, items: [] };

  let copies: Awaited<ReturnType<typeof lose>>;
  beforeAll(async () => {
    copies = await lose();
  }, 600_000);

  it.each(['of its objects only', 'of all tables, of five ages'])(
    'brings a control plane back from copies %s: clients list again, and the rollout that was under way ends with exactly its pods',
    async (which) => {
      const { first, second, third, fourth, fifth, kept, resourceVersion } = copies;
      const objects = table(third, 'ObjectsTable');
      const others = {
        versions: table(first, 'VersionsTable'),
        namespaces: table(second, 'NamespacesTable'),
        keys: table(fourth, 'KeysTable'),
        log: table(fifth, 'LogTable'),
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
      await rolledOut(restored);
      const exactly = (image: string) =>
        eventually(
          () => list(restored),
          ({ items }) => isDeepStrictEqual(items.map(imageOf), [image, image, image]),
        );
      // The pods that the rollout had made by then are among those with which it ends.
      const made = namesOf(kept.filter((pod) => imageOf(pod) === 'web:2'));
      expect(namesOf((await exactly('web:2')).items)).toEqual(expect.arrayContaining(made));
      expect(made.length).toBeGreaterThan(0);
      await setImage(restored, 'web:3');
      await rolledOut(restored);
      await exactly('web:3');
    },
    600_000,
  );
});
