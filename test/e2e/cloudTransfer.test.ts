import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingJava } from '../../infra/emulation/services/startDynamoDbJava.ts';
import { startEmulation } from '../../infra/emulation/startEmulation.ts';
import type { SendRequest } from '../../infra/host/SendRequest.ts';
import { parseExportOptions, runExport } from '../../infra/commandLine/transfer/runExport.ts';
import { parseImportCommand, runImport } from '../../infra/commandLine/transfer/runImport.ts';
import { startControlPlane } from '../../infra/local/startControlPlane.ts';
import { openControlPlane } from '../../infra/commandLine/ControlPlaneApi.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { hasKubectl } from '../support/kubectl.ts';
import { webDeployment } from '../support/webDeployment.ts';
import { widget, widgetDefinition } from '../support/widgetDefinition.ts';
import { isCloud } from './serverArguments.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
const REPLICA_SETS = '/apis/apps/v1/namespaces/default/replicasets';
const PODS = '/api/v1/namespaces/default/pods';
const CONFIG_MAP = '/api/v1/namespaces/default/configmaps/settings';
const WIDGET = '/apis/example.com/v1/namespaces/default/widgets/blue';
const PERIOD_MS = 200;
const PATIENCE_MS = 120_000;

interface List<T> {
  readonly items: readonly T[];
}

async function call<T>(send: SendRequest, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const answer = await send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Asks until the Deployment's three pods of this image are available, and there are no others. */
async function rolledOut(send: SendRequest, image: string): Promise<Deployment> {
  const endMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const deployment = await call<Deployment>(send, 'GET', DEPLOYMENT);
    const { items } = await call<List<Pod>>(send, 'GET', PODS);
    const images = items.map(({ spec }) => spec?.containers[0]?.image);
    const { status = {}, metadata } = deployment;
    const isObserved = status.observedGeneration === metadata.generation && status.availableReplicas === 3;
    if (isObserved && images.length === 3 && images.every((one) => one === image)) return deployment;
    if (Date.now() > endMs) throw new Error(`still: ${JSON.stringify({ status, images })}`);
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
  }
}

/** A Deployment that was rolled out twice, a ConfigMap that it owns, and a kind that a user has defined, with an object. */
async function fill(send: SendRequest): Promise<void> {
  await call(send, 'POST', DEPLOYMENT.replace('/web', ''), webDeployment('web:1', 3));
  await rolledOut(send, 'web:1');
  const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } };
  await call(send, 'PATCH', DEPLOYMENT, image);
  const { metadata } = await rolledOut(send, 'web:2');
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid }];
  const settings = { metadata: { name: 'settings', ownerReferences }, data: { color: 'blue' } };
  await call(send, 'POST', CONFIG_MAP.replace('/settings', ''), settings);
  await call(send, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition());
  const endMs = Date.now() + PATIENCE_MS;
  while (!(await send(WIDGET.replace('/blue', ''))).ok && Date.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
  await call(send, 'POST', WIDGET.replace('/blue', ''), widget('blue', { color: 'blue' }));
}

/** Returns what is the same in every control plane that has the objects. Owners are named, since UIDs change. */
async function contents(send: SendRequest) {
  const deployment = await rolledOut(send, 'web:2');
  const { items } = await call<List<ReplicaSet>>(send, 'GET', REPLICA_SETS);
  const settings = await call<KubernetesObject>(send, 'GET', CONFIG_MAP);
  const { spec } = await call<KubernetesObject>(send, 'GET', WIDGET);
  const isOwned = ({ metadata }: KubernetesObject) =>
    metadata.ownerReferences?.map(({ uid }) => uid).join() === deployment.metadata.uid;
  return {
    revision: deployment.metadata.annotations?.['deployment.kubernetes.io/revision'],
    replicaSets: items.map((one) => `${one.metadata.name}: ${one.spec?.replicas}, ${isOwned(one)}`).sort(),
    settings: [settings['data'], isOwned(settings)],
    widget: spec,
  };
}

describe.skipIf(!isCloud || missingJava() !== undefined || !hasKubectl)(
  'an export and an import (npm run test:cloud, with kubectl)',
  () => {
    const running: (() => Promise<unknown>)[] = [];
    let directory: string;
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'driftless-transfer-'));
    });
    afterEach(async () => {
      for (const stop of running.splice(0).reverse()) await stop();
      rmSync(directory, { recursive: true });
    });
    const file = (name: string) => join(directory, name);

    async function startLocal() {
      const local = await startControlPlane();
      running.push(() => local.stop());
      const send: SendRequest = (path, init) => fetch(local.url + path, init);
      return { send, place: ['--server', local.url] };
    }

    /** The emulated cloud, which is reached by a context of a kubeconfig alone. */
    async function startCloud() {
      const emulation = await startEmulation();
      running.push(() => emulation.stop());
      const kubeconfig = file('kubeconfig');
      writeFileSync(file('token'), emulation.token());
      writeFileSync(kubeconfig, emulation.kubeconfig(file('token')));
      const api = await openControlPlane({ context: 'driftless', kubeconfig });
      running.push(() => api.close());
      return { send: api.send, place: ['--context', 'driftless', '--kubeconfig', kubeconfig] };
    }

    async function transfer(from: readonly string[], name: string, into: readonly string[]): Promise<void> {
      await runExport(parseExportOptions([...from, '--complete', '--output', file(name)]));
      expect(await runImport(parseImportCommand(['--filename', file(name), ...into]))).toBe(0);
    }

    it('move everything from a local control plane into the cloud, by a context, and from there into another local one', async () => {
      const source = await startLocal();
      await fill(source.send);
      const wanted = await contents(source.send);
      expect(wanted).toMatchObject({ revision: '2', settings: [{ color: 'blue' }, true] });
      const cloud = await startCloud();
      await transfer(source.place, 'local.json', cloud.place);
      expect(await contents(cloud.send)).toEqual(wanted);
      const target = await startLocal();
      await transfer(cloud.place, 'cloud.json', target.place);
      expect(await contents(target.send)).toEqual(wanted);
    }, 600_000);

    it('say so when the kubeconfig has no such context', async () => {
      writeFileSync(file('kubeconfig'), 'apiVersion: v1\nkind: Config\n');
      const options = parseExportOptions([
        '--context',
        'absent',
        '--kubeconfig',
        file('kubeconfig'),
        '--output',
        file('none'),
      ]);
      await expect(runExport(options)).rejects.toThrow('kubectl cannot use the context absent: ');
    });
  },
);
