/**
 * How long somebody waits for `kubectl rollout status` when others have left their watches without a word: over the emulated cloud, where each of them keeps an execution of the account, and, for an account whose executions this machine
 * cannot hold, over the model of the slots alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { planConcurrency } from '../../infra/cdk/planConcurrency.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbWatchSlots } from '../../lambdas/adapters/aws/log/DynamoDbWatchSlots.ts';
import { VERSIONS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { FUNCTION_WATCH_SECONDS } from '../../lambdas/functions/limits.ts';
import { claimSlot } from '../../lambdas/rest/watch/claimSlot.ts';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { UNLIMITED } from '../model/dynamo/DynamoPhysics.ts';
import { Random } from '../simulation/Random.ts';
import { kubectlFor } from '../support/kubectl.ts';
import { ServerProcess } from '../support/ServerProcess.ts';

const EMULATED_EXECUTIONS = [10, 100] as const;
const MODEL_EXECUTIONS = [10, 100, 1_000] as const;
const STATUS = 'rollout status deployment/web --timeout=300s';

/** Prints both tables. Rejects if a command fails. */
export async function abandonedBench(): Promise<void> {
  console.log(rowOf(['executions', 'watches', 'first watch waits, ms', 'the hundredth, ms']));
  for (const executions of MODEL_EXECUTIONS) console.log(rowOf(await timeSlots(executions)));
  console.log(rowOf(['executions', 'watches', 'rollout status, ms', 'beside abandoned, ms']));
  for (const executions of EMULATED_EXECUTIONS) console.log(rowOf(await timeRollouts(executions)));
}

/** A hundred times in turn somebody begins to wait for one object, while the clients of all other watches have gone. Each goes in the middle of the wait. */
async function timeSlots(executions: number): Promise<readonly string[]> {
  const count = watchesOf(executions);
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const random = new Random(executions);
  const model = new DynamoModel({ clock, random, physics: UNLIMITED });
  model.createTable('versions', VERSIONS_TABLE);
  const open = () => {
    const ids = new SeededIds(random.integer(0, 0xffffffff));
    const client = { send: async (command: object) => model.execute(command) } as unknown as DynamoDBClient;
    const calls = new DynamoDbCalls({ client, clock, ids });
    return new DynamoDbWatchSlots({ calls, clock, ids, tableName: 'versions', count });
  };
  const waitForSlot = async (isOfOne: boolean) => {
    const beganMs = clock.now();
    for (;;) {
      const lifetimeMs = FUNCTION_WATCH_SECONDS.unresumed * 1000;
      const request = { dependencies: { watchSlots: open() }, user: { username: 'ann', groups: [] } };
      const refused = await claimSlot(request, { lifetimeMs, isOfOne }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refused === undefined) return clock.now() - beganMs;
      if (!(refused instanceof ApiError)) throw refused;
      clock.advanceBy((refused.details?.retryAfterSeconds ?? 1) * 1000);
    }
  };
  for (let watch = 0; watch < count; watch += 1) await waitForSlot(false);
  const waits: number[] = [];
  for (let watch = 0; watch < 100; watch += 1) waits.push(await waitForSlot(true));
  return [executions, count, waits[0], waits.at(-1)].map(String);
}

async function timeRollouts(executions: number): Promise<readonly string[]> {
  const count = watchesOf(executions);
  const server = await ServerProcess.start(['--emulate-cloud', '--account-concurrency', String(executions)]);
  try {
    const kubectl = kubectlFor(server.kubeconfig);
    const roll = async (image: string) => {
      const beganMs = performance.now();
      await kubectl(`set image deployment/web nginx=nginx:${image}`);
      await kubectl(STATUS);
      return Math.round(performance.now() - beganMs);
    };
    await kubectl('create deployment web --image=nginx:1 --replicas=3');
    await kubectl(STATUS);
    const alone = await roll('2');
    for (let watch = 0; watch < count; watch += 1) await abandon(server);
    return [executions, count, alone, await roll('3')].map(String);
  } finally {
    await server.dispose();
  }
}

/** Opens a watch as `kubectl get pods -w` does, and leaves it as Ctrl-C does. */
async function abandon(server: ServerProcess): Promise<void> {
  const leave = new AbortController();
  const authorization = `Bearer ${readFileSync(join(server.dataDir, 'token'), 'utf8').trim()}`;
  const { status } = await fetch(`${server.baseUrl}/api/v1/namespaces/default/pods?watch=true`, {
    headers: { authorization },
    signal: leave.signal,
  });
  if (status !== 200) throw new Error(`a watch was answered with ${status}`);
  leave.abort();
}

function watchesOf(accountConcurrency: number): number {
  return planConcurrency({ api: 'function', accountConcurrency, reservedConcurrency: {} }).maxWatches;
}

function rowOf(columns: readonly string[]): string {
  return columns.map((column) => column.padStart(24)).join('');
}
