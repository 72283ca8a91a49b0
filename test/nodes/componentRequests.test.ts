import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { KubeletClient, type KubeletClientOptions } from '../support/kubelet/KubeletClient.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { ACCEPT, type Component, type ComponentRequest } from './ComponentRequest.ts';
import { clusterControllers } from './requests/clusterControllers.ts';
import { garbageCollector, kubeControllerManager } from './requests/kubeControllerManager.ts';
import { discovery, kubelet } from './requests/kubelet.ts';
import { coreDns, kubeProxy } from './requests/kubeProxy.ts';
import { kubeScheduler } from './requests/kubeScheduler.ts';
import { workloadControllers } from './requests/workloadControllers.ts';

const COMPONENTS = [
  kubelet,
  discovery,
  kubeScheduler,
  kubeProxy,
  coreDns,
  kubeControllerManager,
  garbageCollector,
  ...workloadControllers,
  ...clusterControllers,
];

let server: ServerProcess;
let administrator: Omit<KubeletClientOptions, 'speaks'>;

beforeAll(async () => {
  server = await ServerProcess.start(['--tls', '--ephemeral', '--nodes', '0', '--controllers', 'serviceaccount']);
  const config = parse(readFileSync(server.kubeconfig, 'utf8'));
  const { server: url, 'certificate-authority-data': authority } = config.clusters[0].cluster;
  const { token } = config.users[0].user;
  administrator = { server: url, token, authority: Buffer.from(authority, 'base64').toString() };
}, 120_000);
afterAll(() => server?.dispose());

/** The client of a component, for one request. */
function clientOf({ username, groups, speaks }: Component, accept: string | undefined): KubeletClient {
  const identity = { 'impersonate-user': username, 'impersonate-group': [...groups] };
  const headers = { ...identity, accept: accept ?? ACCEPT[speaks] };
  return new KubeletClient({ ...administrator, headers, speaks: speaks === 'json' ? 'json' : 'protobuf' });
}

/** Sends a request; resolves to the code of its answer and what the answer says if it is a refusal. */
async function answerTo(component: Component, request: ComponentRequest, listed: string): Promise<Answered> {
  const client = clientOf(component, request.accept);
  const path = request.path.replace('%24LISTED', listed);
  if (request.watch === 'resumed') return { code: await client.open(path) };
  if (request.watch === 'initial') return { code: await watchInitial(client, path) };
  const body = typeof request.body === 'function' ? request.body(await stored(request.about ?? path)) : request.body;
  const answer = await client.send(request.method, path, body, request.contentType);
  return { code: answer.code, said: answer.code < 400 ? answer.body : (answer.body.message ?? answer.body) };
}

interface Answered {
  readonly code: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an object, a list, or a text
  readonly said?: any;
}

/** Resolves with the bookmark that ends the objects that exist, or with the refusal. */
async function watchInitial(client: KubeletClient, path: string): Promise<number> {
  const ended = new AbortController();
  const code = await client.open(path);
  if (code !== 200) return code;
  await client.watch(path, ended.signal, ({ type, object }) => {
    if (type === 'BOOKMARK' && object.metadata.annotations['k8s.io/initial-events-end'] === 'true') ended.abort();
  });
  return code;
}

/** Reads an object as the administrator, to be changed and written back. */
async function stored(path: string) {
  const { body } = await new KubeletClient(administrator).send('GET', path.replace(/\/(?:finalize|status)$/, ''));
  return body;
}

async function given({ given: objects = [] }: Component): Promise<void> {
  const client = new KubeletClient(administrator);
  for (const [path, object] of objects) {
    const { code, body } = await client.send('POST', path, object);
    if (code !== 201) throw new Error(`${path} is answered with ${code}: ${body.message}`);
  }
}

describe('a server with --tls answers the recorded requests of', () => {
  it.each(COMPONENTS.map((component) => [component.name, component] as const))(
    '%s',
    async (_, component) => {
      await given(component);
      const unexpected: string[] = [];
      let listed = '0';
      for (const request of component.requests) {
        const { code, said } = await answerTo(component, request, listed);
        listed = said?.metadata?.resourceVersion ?? listed;
        const isExpected = request.refused ? code === request.refused.code : code < 400;
        if (!isExpected) unexpected.push(`${code} ${request.method} ${request.path} ${said ?? ''}`);
      }
      expect(unexpected).toEqual([]);
    },
    120_000,
  );
});
