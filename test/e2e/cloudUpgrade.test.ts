// Slow: an emulated cloud is deployed, and updated four times.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logicalName } from '../../infra/cdk/createFunctions.ts';
import { emulatedKnobs } from '../../infra/emulation/EmulationOptions.ts';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { type Emulation, startEmulation } from '../../infra/emulation/startEmulation.ts';
import { type SynthesizedStack, synthesizeStack } from '../../infra/emulation/template/synthesizeStack.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod } from '../../lambdas/objects/kinds.ts';
import { SMOKE_TEST_NAMESPACE } from '../../lambdas/rest/rbac/smokeTestRole.ts';
import { openRelease, RELEASE_BEFORE } from '../releases/KeptRelease.ts';
import { stackOfRelease } from '../releases/stackOfRelease.ts';
import { isCloud } from './serverArguments.ts';

const OPTIONS = { accountConcurrency: 1000, smokeTest: true } as const;
const REPLICAS = 8;
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';

/** What rolls slowly: a pod is available after a second, and one more may be there. */
const WEB = {
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    minReadySeconds: 1,
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

describe.skipIf(!isCloud || missingJava() !== undefined)(
  'a stack that is updated in the middle of rollouts (npm run test:cloud)',
  () => {
    let directory: string;
    let before: SynthesizedStack;
    let now: SynthesizedStack;
    let emulation: Emulation;
    let watch: PodWatch;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'driftless-upgrade-'));
      before = await stackOfRelease(await openRelease(RELEASE_BEFORE));
      now = await synthesizeStack(join(directory, 'now'), emulatedKnobs(OPTIONS));
      emulation = await startEmulation({ ...OPTIONS, stack: before });
      watch = new PodWatch(emulation);
      await create(DEPLOYMENTS, WEB);
      await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' }, data: { of: 'before' } });
      await rolledOut('web:1');
      void watch.run();
    }, 300_000);
    afterAll(async () => {
      await watch?.stop();
      await emulation?.stop();
      await rm(directory, { recursive: true, force: true });
    });

    const ask = (path: string, init: RequestInit = {}) => askOf(emulation, path, init);

    async function create(path: string, object: object): Promise<void> {
      const answer = await ask(path, { method: 'POST', body: JSON.stringify(object) });
      expect(answer.status, await answer.clone().text()).toBe(201);
    }

    async function read<T>(path: string): Promise<T> {
      return (await (await ask(path)).json()) as T;
    }

    async function roll(image: string): Promise<void> {
      const body = JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'web', image }] } } } });
      const headers = { 'content-type': 'application/strategic-merge-patch+json' };
      expect((await ask(`${DEPLOYMENTS}/web`, { method: 'PATCH', body, headers })).status).toBe(200);
    }

    /** Resolves when some pods have the image, and others do not. */
    async function halfRolled(image: string): Promise<void> {
      await watch.until(() => {
        const rolled = watch.live().filter((pod) => imageOf(pod) === image).length;
        return rolled >= 2 && rolled < REPLICAS - 2;
      });
    }

    async function rolledOut(image: string): Promise<void> {
      for (;;) {
        const { status, metadata, spec } = await read<Deployment>(`${DEPLOYMENTS}/web`);
        const isDone = status?.availableReplicas === REPLICAS && status.updatedReplicas === REPLICAS;
        const isSeen = status?.observedGeneration === metadata.generation && status?.replicas === REPLICAS;
        if (isDone && isSeen && spec?.template?.spec?.containers[0]?.image === image) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }

    /** This release, but for one function, which fails. */
    async function broken(name: 'sync' | 'api', handler: string): Promise<SynthesizedStack> {
      const { Properties = {} } = now.template.Resources[logicalName(name)] ?? {};
      const hash = ((Properties['Code'] as { S3Key?: string }).S3Key ?? '').replace(/\.zip$/, '');
      const asset = join(directory, `broken-${name}`);
      await cp(now.assetPaths.get(hash) ?? '', asset, { recursive: true });
      await cp(join(asset, 'index.mjs'), join(asset, 'whole.mjs'));
      await writeFile(join(asset, 'index.mjs'), handler);
      return { ...now, assetPaths: new Map([...now.assetPaths, [hash, asset]]) };
    }

    async function expectNothingLost(image: string): Promise<void> {
      await rolledOut(image);
      const { items } = await read<{ items: Pod[] }>(PODS);
      expect(items.map(imageOf)).toEqual(Array.from({ length: REPLICAS }, () => image));
      // What a watcher holds, that saw every change and no list in between, is what is there.
      const uids = items.map(({ metadata }) => metadata.uid).sort();
      await watch.until(
        () =>
          JSON.stringify(
            watch
              .live()
              .map(({ metadata }) => metadata.uid)
              .sort(),
          ) === JSON.stringify(uids),
      );
      expect(watch.mostPods).toBeLessThanOrEqual(REPLICAS + 1);
      expect(await read('/api/v1/namespaces/default/configmaps/kept')).toMatchObject({ data: { of: 'before' } });
      const namespaces = (await read<{ items: KubernetesObject[] }>('/api/v1/namespaces')).items.map(
        ({ metadata }) => metadata.name,
      );
      expect(namespaces.filter((name) => name !== SMOKE_TEST_NAMESPACE)).toHaveLength(4);
    }

    test('goes back to the release before if the smoke test fails, and loses nothing', async () => {
      await roll('web:2');
      await halfRolled('web:2');
      const refusing = await broken('api', REFUSING_API);
      const outcome = await emulation.update(refusing);
      expect(outcome).toEqual({
        status: 'UPDATE_ROLLBACK_COMPLETE',
        why: expect.stringMatching(/^The smoke test failed\. create the Deployment: 403/) as string,
      });
      await expectNothingLost('web:2');
    }, 300_000);

    test('goes on with a rollout that the release before has begun', async () => {
      await roll('web:3');
      await halfRolled('web:3');
      expect(await emulation.update(now)).toEqual({ status: 'UPDATE_COMPLETE' });
      await expectNothingLost('web:3');
    }, 300_000);

    test('goes back in the middle of a rollout that this release has begun', async () => {
      await roll('web:4');
      await halfRolled('web:4');
      expect(await emulation.update(before)).toEqual({ status: 'UPDATE_COMPLETE' });
      await expectNothingLost('web:4');
    }, 300_000);
  },
);

/** An API that refuses to create Deployments, and answers everything else. */
const REFUSING_API = `
import { handler as whole } from './whole.mjs';
export const handler = awslambda.streamifyResponse(async (event, stream, context) => {
  if (event.httpMethod !== 'POST' || !event.path.endsWith('/deployments')) return await whole(event, stream, context);
  const answer = awslambda.HttpResponseStream.from(stream, { statusCode: 403, headers: { 'content-type': 'application/json' } });
  answer.end(JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message: 'a defect' }));
});
`;

function imageOf({ spec }: Pod): string | undefined {
  return spec?.containers[0]?.image;
}

function askOf(emulation: Emulation, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', ...(init.headers as Record<string, string>) });
  headers.set('authorization', `Bearer ${emulation.token()}`);
  return fetch(`${emulation.url}/k8s${path}`, { ...init, headers });
}

/** Holds the pods of the namespace by one list and the watches after it, each of which begins where the one before ended. */
class PodWatch {
  readonly #emulation: Emulation;
  readonly #pods = new Map<string, Pod>();
  readonly #leave = new AbortController();
  #onChange = () => {};
  #ended: Promise<void> | undefined;
  /** The most pods at one time that were not being deleted. */
  mostPods = 0;

  constructor(emulation: Emulation) {
    this.#emulation = emulation;
  }

  live(): readonly Pod[] {
    return [...this.#pods.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  run(): Promise<void> {
    this.#ended = this.#follow().catch((error: unknown) => {
      if (!this.#leave.signal.aborted) throw error;
    });
    return this.#ended;
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await new Promise<void>((resolve) => (this.#onChange = resolve));
  }

  async stop(): Promise<void> {
    this.#leave.abort();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#leave;
    const list = (await (await askOf(this.#emulation, PODS)).json()) as {
      metadata: { resourceVersion: string };
      items: Pod[];
    };
    for (const pod of list.items) this.#pods.set(pod.metadata.name, pod);
    let from = list.metadata.resourceVersion;
    while (!signal.aborted) {
      const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=${from}`;
      const answer = await askOf(this.#emulation, `${PODS}?${query}`, { signal });
      if (answer.status === 429) continue;
      if (answer.status !== 200 || !answer.body) throw new Error(`a watch was answered with ${answer.status}`);
      from = await this.#take(answer.body, from);
    }
  }

  async #take(body: ReadableStream<Uint8Array>, from: string): Promise<string> {
    let [version, rest] = [from, ''];
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { type: string; object: Pod & KubernetesObject };
        if (type === 'ERROR') throw new Error(`a watch ended with ${line}`);
        version = object.metadata.resourceVersion;
        if (type === 'DELETED') this.#pods.delete(object.metadata.name);
        else if (type !== 'BOOKMARK') this.#pods.set(object.metadata.name, object);
        this.mostPods = Math.max(this.mostPods, this.live().length);
        this.#onChange();
      }
    }
    return version;
  }
}
