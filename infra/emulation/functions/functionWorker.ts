/**
 * The inside of one execution environment, in its own worker thread: does what Lambda's runtime does around a bundle. The thread has its own environment variables.
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

let resume = () => {};
const port = parentPort ?? fail('not a worker thread');
const handler = await load();
port.on('message', (message: ToEnvironment) => {
  if (message.type === 'taken') resume();
  else void invoke(message);
});
post({ type: 'ready' });

function fail(why: string): never {
  throw new Error(why);
}

function post(message: FromEnvironment): void {
  port.postMessage(message);
}

async function load(): Promise<Handler> {
  const exported = (await import(pathToFileURL(startup.modulePath).href)) as Readonly<Record<string, unknown>>;
  const found = exported[startup.handlerName];
  return typeof found === 'function' ? (found as Handler) : fail(`${startup.modulePath} exports no handler`);
}

async function invoke({ event, requestId, deadlineMs }: ToEnvironment & { type: 'invoke' }): Promise<void> {
  try {
    const context = contextOf(requestId, deadlineMs);
    if (isStreaming(handler)) {
      await stream(JSON.parse(event), context);
      post({ type: 'returned' });
    } else {
      const result = await handler(JSON.parse(event), context);
      post({ type: 'returned', result: JSON.stringify(result) ?? 'null' });
    }
  } catch (error) {
    post({ type: 'failed', failure: describe(error) });
  }
}

/** Resolves when the handler has ended and its answer has been sent. */
async function stream(event: unknown, context: unknown): Promise<void> {
  const answer = new ResponseStream((bytes) => {
    post({ type: 'chunk', bytes });
    return new Promise((resolve) => {
      resume = resolve;
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

/** Redirects TLS connections to STS to the emulated STS, which speaks plain HTTP. The function's own requests stay as they are. */
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
