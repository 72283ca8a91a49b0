import { ServerProcess } from '../support/ServerProcess.ts';
import { benchDeployment } from './benchDeployment.ts';
import type { PodShape } from './benchPods.ts';
import { createCompanions } from './createCompanions.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { RolloutObserver } from './RolloutObserver.ts';

const LIMIT_MS = 3_600_000;
const NAMESPACE = 'default';

/** Shows how long a server takes to answer that finds this many pods in its data directory, and how much memory it has then. */
export async function restartBench(pods: number, shape: PodShape): Promise<void> {
  const first = await ServerProcess.start();
  console.log(`without pods: started in ${first.startMs.toFixed(0)} ms, ${memoryOf(first)}`);
  await createPods(first.baseUrl, pods, shape);
  await first.end();
  const second = await ServerProcess.start([], first.dataDir);
  try {
    console.log(`with ${pods} pods: started in ${second.startMs.toFixed(0)} ms, ${memoryOf(second)}`);
  } finally {
    await second.dispose();
  }
}

async function createPods(baseUrl: string, pods: number, shape: PodShape): Promise<void> {
  const api = new KubernetesApi(baseUrl);
  const observer = new RolloutObserver(api, NAMESPACE);
  await createCompanions(api, NAMESPACE);
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
  await api.call('POST', path, benchDeployment('web', pods, 'nginx:1', shape));
  await observer.until(`${pods} pods created`, () => observer.complete(1, 'nginx:1'), LIMIT_MS);
  observer.stop();
}

function memoryOf(server: ServerProcess): string {
  return `${(server.usage()?.rssMiB ?? Number.NaN).toFixed(0)} MiB`;
}
