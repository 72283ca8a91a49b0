/**
 * An execution environment of one function, in a worker thread of its own: what the managed runtime does around a bundle. Environment variables are the thread's
 * own; bundles are loaded as they were built.
 */
import net from 'node:net';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromEnvironment, FunctionFailure, Startup, ToEnvironment } from './ExecutionEnvironment.ts';
import { awsLambdaGlobal, isStreaming, ResponseStream } from './ResponseStream.ts';

type Handler = (event: unknown, ...rest: readonly unknown[]) => unknown;

const startup = workerData as Startup;
const STS_HOST = /^sts(?:-fips)?(?:\.[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/;

redirectSts(startup.stsPort);
Object.assign(globalThis, { awslambda: awsLambdaGlobal });

let taken = () => {};
const port = parentPort ?? never('not a worker thread');
const handler = await load();
port.on('message', (message: ToEnvironment) => {
  if (message.type === 'taken') taken();
  else void invoke(message);
});
tell({ type: 'ready' });

function never(why: string): never {
  throw new Error(why);
}

function tell(message: FromEnvironment): void {
  port.postMessage(message);
}

async function load(): Promise<Handler> {
  const exported = (await import(pathToFileURL(startup.modulePath).href)) as Readonly<Record<string, unknown>>;
  const found = exported[startup.handlerName];
  return typeof found === 'function' ? (found as Handler) : never(`${startup.modulePath} exports no handler`);
}

async function invoke({ event, requestId, deadlineMs }: ToEnvironment & { type: 'invoke' }): Promise<void> {
  try {
    const context = contextOf(requestId, deadlineMs);
    if (isStreaming(handler)) {
      await stream(JSON.parse(event), context);
      tell({ type: 'returned' });
    } else {
      const result = await handler(JSON.parse(event), context);
      tell({ type: 'returned', result: JSON.stringify(result) ?? 'null' });
    }
  } catch (error) {
    tell({ type: 'failed', failure: describe(error) });
  }
}

/** Resolves when both have ended: the handler and what it wrote. */
async function stream(event: unknown, context: unknown): Promise<void> {
  const answer = new ResponseStream((bytes) => {
    tell({ type: 'chunk', bytes });
    return new Promise((resolve) => {
      taken = resolve;
    });
  });
  const finished = new Promise((resolve, reject) => answer.once('finish', resolve).once('error', reject));
  finished.catch(() => {});
  await handler(event, answer, context);
  if (!answer.writableEnded) answer.end();
  await finished;
}

function contextOf(requestId: string, deadlineMs: number) {
  const { functionName, functionArn, memoryMb } = startup;
  return {
    awsRequestId: requestId,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn,
    memoryLimitInMB: `${memoryMb}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: '[$LATEST]',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

function describe(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

/** A connection to STS is a plain one to the stand-in from here on: everything above TLS stays as the function does it. */
function redirectSts(stsPort: number): void {
  const connect = tls.connect.bind(tls) as (...parameters: unknown[]) => tls.TLSSocket;
  const redirecting = (...parameters: unknown[]) => {
    const { host } = parameters[0] as { host?: string };
    if (!STS_HOST.test(host ?? '')) return connect(...parameters);
    const socket = net.connect({ port: stsPort, host: '127.0.0.1' });
    socket.once('connect', () => socket.emit('secureConnect'));
    return socket;
  };
  Object.assign(tls, { connect: redirecting });
}
