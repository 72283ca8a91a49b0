/**
 * Times what a new user does with kubectl over the emulated cloud: `npm start -- --emulate-cloud` in a process of its own, and kubectl with an empty cache. All of it shares this machine, so the figures
 * are those of its processors: a roll of three pods takes about 15 s of them, most of it in the functions' environments, each a V8 of its own that is started when it is first needed, and in DynamoDB Local. The latencies of
 * AWS' services are in `--model --target latency`, whose limits are printed beside them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../support/ServerProcess.ts';
import { kubectlFor } from '../support/kubectl.ts';
import { LATENCY_LIMITS } from '../../infra/promises.ts';

interface Step {
  readonly name: string;
  /** The command that asks for it. */
  readonly ask: string;
  /** The command that waits until it is done. */
  readonly wait?: string;
  /** The row of the model that measures the same, without kubectl. */
  readonly row?: keyof typeof LATENCY_LIMITS;
}

const STATUS = 'rollout status deployment/web --timeout=120s';

const STEPS: readonly Step[] = [
  { name: 'the first command: what is served, and a list', ask: 'get deployments' },
  { name: 'the same again', ask: 'get deployments' },
  { name: 'create 3', ask: 'create deployment web --image=nginx:1 --replicas=3', wait: STATUS, row: 'available' },
  { name: 'roll 3', ask: 'set image deployment/web nginx=nginx:2', wait: STATUS, row: 'rolled' },
  { name: 'undo', ask: 'rollout undo deployment/web', wait: STATUS, row: 'rolled' },
  { name: 'scale to 200', ask: 'scale deployment/web --replicas=200', wait: STATUS },
  {
    name: 'delete 200, in the foreground',
    // `wait --for=delete pod -l app=web` would ask for one pod after the other.
    ask: 'delete deployment web --cascade=foreground --wait=false',
    wait: 'wait --for=delete deployment/web --timeout=120s',
    row: 'deleted, foreground',
  },
];

/** Prints how long each step takes. Rejects if a command fails. */
export async function kubectlBench(): Promise<void> {
  const server = await ServerProcess.start(['--emulate-cloud']);
  const home = await mkdtemp(join(tmpdir(), 'driftless-kubectl-'));
  try {
    console.log(`the emulated cloud started in ${Math.round(server.startMs)} ms`);
    console.log(rowOf(['milliseconds', 'asked', 'done', "the model's p50 at most"]));
    const kubectl = kubectlFor(server.kubeconfig);
    const run = async (commandLine: string) => void (await kubectl(commandLine, { env: { HOME: home } }));
    for (const step of STEPS) console.log(await timeStep(step, run));
  } finally {
    await server.dispose();
    await rm(home, { recursive: true });
  }
}

async function timeStep({ name, ask, wait, row }: Step, run: (commandLine: string) => Promise<void>): Promise<string> {
  const beganMs = performance.now();
  const sinceThen = () => String(Math.round(performance.now() - beganMs));
  await run(ask);
  const asked = sinceThen();
  if (wait === undefined) return rowOf([name, asked]);
  await run(wait);
  return rowOf([name, asked, sinceThen(), row === undefined ? '' : String(LATENCY_LIMITS[row].p50)]);
}

function rowOf([name = '', ...columns]: readonly string[]): string {
  return `${name.padEnd(48)}${columns.map((column) => column.padStart(12)).join('')}`;
}
