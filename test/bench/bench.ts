/**
 * Measures rollouts, a Job and a StatefulSet from outside. `BASE_URL=http://… npm run bench` measures any Kubernetes API server. Without it, our own server is started in a process of its
 * own, with durable storage. `REPLICAS` sets the size of the scenarios (default 1,000). `--pods N,…` measures larger rollouts, with CPU and memory (see loadBench). `--emulate-cloud` counts the cost of rollouts instead (see costBench), `--kubectl` times kubectl over the emulators (see kubectlBench), `--abandoned-watches` times a rollout beside watches whose clients have gone (see abandonedBench), `--watch-prices` counts the cost of watches (see watchBench), `--node-prices` that of nodes (see nodeBench), `--model` does so in simulated time (see modelBench), `--churn N` counts what tombstones cost (see churnBench), `--list N` measures a list (see listBench), `--restart N` a start with stored pods (see restartBench), `--dashboard N` the dashboard (see dashboardBench), and `--schedule` the scheduler alone (see scheduleBench). `--shape` says what the pods are like (see benchPods).
 */
import { randomUUID } from 'node:crypto';
import { abandonedBench } from './abandonedBench.ts';
import { benchDeployment, patchImage } from './benchDeployment.ts';
import { benchJob, untilJobsComplete } from './benchJob.ts';
import { benchStatefulSet, untilStatefulSetRuns } from './benchStatefulSet.ts';
import type { PodShape } from './benchPods.ts';
import { churnBench } from './churnBench.ts';
import { costBench } from './costBench.ts';
import { createNamespace } from './createCompanions.ts';
import { dashboardBench } from './dashboardBench.ts';
import { KubernetesApi } from './KubernetesApi.ts';
import { kubectlBench } from './kubectlBench.ts';
import { latencyBench } from './latency/latencyBench.ts';
import { listBench } from './listBench.ts';
import { loadBench } from './loadBench.ts';
import { modelBench } from './modelBench.ts';
import { nodeBench } from './nodeBench.ts';
import { parseBenchOptions, USAGE } from './parseBenchOptions.ts';
import { RolloutObserver } from './RolloutObserver.ts';
import { restartBench } from './restartBench.ts';
import { scheduleBench } from './scheduleBench.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { watchBench } from './watchBench.ts';

const REPLICAS = Number(process.env['REPLICAS'] ?? 1000);
const DEPLOYMENTS = 100;
/** Its pods start one after the other. */
const ORDERED = REPLICAS / 10;

interface Row {
  readonly scenario: string;
  readonly seconds: number;
  readonly lowestAvailable?: number;
  readonly highestPods?: number;
}

async function run(api: KubernetesApi, shape: PodShape): Promise<Row[]> {
  const namespace = `bench-${randomUUID().slice(0, 8)}`;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const statefulSets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  await createNamespace(api, namespace);
  const observer = new RolloutObserver(api, namespace);
  const rows: Row[] = [];
  const measure = async (scenario: string, act: () => Promise<unknown>, what: () => boolean, roll = false) => {
    observer.begin();
    const begunMs = performance.now();
    await act();
    await observer.until(scenario, what);
    const seconds = (performance.now() - begunMs) / 1000;
    rows.push({ scenario, seconds, ...(roll && observer.extremes) });
    console.log(formatRow(rows.at(-1) as Row));
  };
  const names = Array.from({ length: DEPLOYMENTS }, (_, index) => `web-${index}`);
  const small = REPLICAS / DEPLOYMENTS;
  const setImage = (name: string, image: string) => patchImage(api, `${deployments}/${name}`, image);
  const create = (name: string, replicas: number) =>
    api.call('POST', deployments, benchDeployment(name, replicas, 'nginx:1', shape));

  await measure(
    `1 x ${REPLICAS} created`,
    () => create('big', REPLICAS),
    () => observer.complete(1, 'nginx:1'),
  );
  await measure(
    `1 x ${REPLICAS} rolled`,
    () => setImage('big', 'nginx:2'),
    () => observer.complete(1, 'nginx:2'),
    true,
  );
  await measure(
    '1 deleted',
    () => api.call('DELETE', `${deployments}/big`),
    () => observer.deploymentCount + observer.podCount === 0,
  );
  await measure(
    `Job of ${REPLICAS} completed`,
    async () => {
      await api.call('POST', jobs, benchJob('many', REPLICAS, shape));
      await untilJobsComplete(api, jobs);
    },
    () => true,
  );
  await measure(
    'Job deleted',
    () => api.call('DELETE', `${jobs}/many`, { propagationPolicy: 'Background' }),
    () => observer.podCount === 0,
  );
  await measure(
    `StatefulSet of ${ORDERED} created`,
    async () => {
      await api.call('POST', statefulSets, benchStatefulSet('ordered', ORDERED, 'nginx:1', shape));
      await untilStatefulSetRuns(api, statefulSets, 'ordered');
    },
    () => true,
  );
  await measure(
    `StatefulSet of ${ORDERED} rolled`,
    async () => {
      await patchImage(api, `${statefulSets}/ordered`, 'nginx:2');
      await untilStatefulSetRuns(api, statefulSets, 'ordered');
    },
    () => true,
  );
  await measure(
    'StatefulSet deleted',
    () => api.call('DELETE', `${statefulSets}/ordered`, { propagationPolicy: 'Background' }),
    () => observer.podCount === 0,
  );
  await measure(
    `${DEPLOYMENTS} x ${small} created`,
    () => Promise.all(names.map((name) => create(name, small))),
    () => observer.complete(DEPLOYMENTS, 'nginx:1'),
  );
  await measure(
    `${DEPLOYMENTS} x ${small} rolled`,
    () => Promise.all(names.map((name) => setImage(name, 'nginx:2'))),
    () => observer.complete(DEPLOYMENTS, 'nginx:2'),
    true,
  );
  await measure(
    'namespace deleted',
    () => api.call('DELETE', `/api/v1/namespaces/${namespace}`),
    () => observer.deploymentCount + observer.podCount === 0,
  );
  observer.stop();
  return rows;
}

function formatRow({ scenario, seconds, lowestAvailable, highestPods }: Row): string {
  const extremes =
    lowestAvailable === undefined ? '' : `  lowest available ${lowestAvailable}, highest pods ${highestPods}`;
  return `${scenario.padEnd(26)} ${seconds.toFixed(2).padStart(8)} s${extremes}`;
}

/** Checks the bounds of 25 % surge and 25 % unavailable: at least three quarters of the pods available, at most five quarters existing. */
function violations(rows: readonly Row[]): string[] {
  return rows.flatMap(({ scenario, lowestAvailable, highestPods }) => {
    if (lowestAvailable === undefined || highestPods === undefined) return [];
    const perDeployment = scenario.startsWith('1 x') ? REPLICAS : REPLICAS / DEPLOYMENTS;
    const count = REPLICAS / perDeployment;
    const floor = count * (perDeployment - Math.floor(perDeployment / 4));
    const ceiling = count * (perDeployment + Math.ceil(perDeployment / 4));
    return [
      ...(lowestAvailable < floor ? [`${scenario}: ${lowestAvailable} available, below ${floor}`] : []),
      ...(highestPods > ceiling ? [`${scenario}: ${highestPods} pods, above ${ceiling}`] : []),
    ];
  });
}

async function speedBench(shape: PodShape): Promise<readonly string[]> {
  const given = process.env['BASE_URL'];
  const server = given ? undefined : await ServerProcess.start();
  const idle = server?.usage();
  if (server) {
    console.log(`started in ${(server.startMs / 1000).toFixed(2)} s, idle RSS ${idle?.rssMiB.toFixed(0)} MiB`);
  }
  const rows = await run(new KubernetesApi(given ?? server?.baseUrl ?? ''), shape);
  const usage = server?.usage();
  if (usage) console.log(`peak RSS ${usage.peakRssMiB.toFixed(0)} MiB, CPU ${usage.cpuSeconds.toFixed(1)} s`);
  await server?.dispose();
  return violations(rows);
}

async function reportWrong(bench: Promise<readonly string[]>): Promise<void> {
  const wrong = await bench;
  for (const line of wrong) console.error(`WRONG ${line}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

const options = parseBenchOptions(process.argv.slice(2));
switch (options.run) {
  case 'usage':
    console.error(options.problem);
    process.exitCode = 2;
    break;
  case 'help':
    console.log(USAGE);
    break;
  case 'speed':
    await reportWrong(speedBench(options.shape));
    break;
  case 'cost':
    await reportWrong(costBench((process.env['PODS'] ?? '100,1000,2000').split(',').map(Number), options.shape));
    break;
  case 'kubectl':
    await kubectlBench();
    break;
  case 'abandoned':
    await abandonedBench();
    break;
  case 'watches':
    await reportWrong(watchBench());
    break;
  case 'nodes':
    await reportWrong(nodeBench());
    break;
  case 'schedule':
    await reportWrong(scheduleBench());
    break;
  case 'churn':
    await reportWrong(churnBench(options.pods, options.shape));
    break;
  case 'dashboard':
    await dashboardBench(options.pods, options.shape);
    break;
  case 'list':
    await reportWrong(listBench(options.pods));
    break;
  case 'restart':
    await restartBench(options.pods, options.shape);
    break;
  case 'load':
    await loadBench({ ...options.options, peerUrl: process.env['PEER_URL'] });
    break;
  case 'latency':
    await reportWrong(latencyBench(options.options));
    break;
  case 'model':
    await reportWrong(modelBench(options.options));
    break;
}
