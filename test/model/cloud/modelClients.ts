import { AsyncResource } from 'node:async_hooks';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { sleep } from '../../../lambdas/ports/Clock.ts';
import { TransientError } from '../../simulation/Gate.ts';
import type { Process } from './Process.ts';

/** A service that carries out the SDK's commands, each at one instant. */
export interface Service {
  execute(command: object): object;
}

export interface RequestHooks {
  /** Names a request, for the trace. */
  readonly what: (command: object) => string;
  /** Called at the instant at which a request takes effect, just before. */
  readonly beforeEffect?: (command: object) => Promise<void> | undefined;
}

export interface Services {
  readonly dynamoDb: Service;
  readonly sqs: Service;
}

/** When a connection ends, the service may have received its request already, and carry it out within this time. What it has not received by then never arrives. */
const LATEST_EFFECT_MS = 2_000;

type Carried = { readonly status: string; readonly output?: object; readonly error?: unknown };

/** The SDK's own attempts, which the product leaves to SQS' client. */
const SQS_ATTEMPTS = 3;
const SQS_PAUSE_MS = 100;

/** The SDK's clients as one process has them. */
export function modelClients(
  process: Process,
  { dynamoDb, sqs }: Services,
  hooks: RequestHooks,
): { readonly dynamoDb: DynamoDBClient; readonly sqs: SQSClient } {
  const sendOnce = (service: Service) => (command: object, options: SendOptions | undefined) =>
    send(process, service, hooks, command, options);
  const toSqs = sendOnce(sqs);
  const sendAgain = async (command: object, options: SendOptions | undefined) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await toSqs(command, options);
      } catch (error) {
        if (attempt === SQS_ATTEMPTS || (error as Error).name !== 'TimeoutError') throw error;
      }
      await sleep(process, SQS_PAUSE_MS * attempt);
    }
  };
  return {
    dynamoDb: { send: sendOnce(dynamoDb) } as unknown as DynamoDBClient,
    sqs: { send: sendAgain } as unknown as SQSClient,
  };
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

async function send(
  process: Process,
  service: Service,
  { what, beforeEffect }: RequestHooks,
  command: object,
  { abortSignal }: SendOptions = {},
): Promise<object> {
  if (abortSignal?.aborted) throw abortError();
  // A request that is under way for long takes effect when its sender's context is gone.
  const context = beforeEffect ? new AsyncResource('request') : undefined;
  let endedAtMs: number | undefined;
  const effect = async (): Promise<Carried> => {
    const goneAtMs = Math.min(endedAtMs ?? Number.POSITIVE_INFINITY, process.diedAtMs ?? Number.POSITIVE_INFINITY);
    if (process.steadyMs() - goneAtMs > LATEST_EFFECT_MS) return { status: 'never arrived' };
    await beforeEffect?.(command);
    try {
      return { status: 'ok', output: service.execute(command) };
    } catch (error) {
      return { status: (error as Error).name, error };
    }
  };
  const carrying = process.call(what(command), context ? () => context.runInAsyncScope(effect) : effect);
  const carried = await orAborted(carrying, abortSignal).catch((error: unknown) => {
    endedAtMs = process.steadyMs();
    throw error instanceof TransientError ? Object.assign(new Error(error.message), { name: 'TimeoutError' }) : error;
  });
  if (carried.error !== undefined) throw carried.error;
  return carried.output ?? {};
}

async function orAborted<T>(carrying: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await carrying;
  return await new Promise((resolve, reject) => {
    // Each request has a signal of its own, which nothing else keeps, so nobody need stop listening.
    signal.addEventListener('abort', () => reject(abortError()), { once: true });
    carrying.then(resolve, reject);
  });
}

function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}
