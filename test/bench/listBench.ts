import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openApiOverPods } from '../rest/list/openApiOverPods.ts';

const URL = 'http://localhost/api/v1/namespaces/default/pods';
const MEGABYTE = 1e6;
/** A function of 512 MB has as much for all its requests together. */
const MOST_MEMORY_MB = 60;
/**
 * Shows what a list of many pods sends, and what it takes of the API's memory, over a table whose pods are made when they are read: `npm run bench -- --list 20000`. Resolves to a line if it takes more than a function
 * can spare.
 */
export async function listBench(pods: number): Promise<readonly string[]> {
  const { app } = await openApiOverPods(pods);
  const list = (encoding: string) => app.request(URL, { headers: { 'accept-encoding': encoding } });
  // Code and dictionaries are loaded and compiled then.
  await measure(list('gzip'));
  const [compressed, plain] = [await measure(list('gzip')), await measure(list('identity'))];
  console.log(`a list of ${pods} pods: compressed ${inWords(compressed)}; as it is ${inWords(plain)}`);
  const peakMb = await peakOf(() => list('gzip'));
  console.log(`  it takes ${peakMb.toFixed(0)} MB of memory while it is sent compressed`);
  return peakMb > MOST_MEMORY_MB ? [`a list of ${pods} pods takes ${peakMb.toFixed(0)} MB of memory`] : [];
}

interface Sent {
  readonly bytes: number;
  readonly ms: number;
}

function inWords({ bytes, ms }: Sent): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB in ${ms.toFixed(0)} ms`;
}

async function measure(answer: Response | Promise<Response>): Promise<Sent> {
  const beganMs = performance.now();
  let bytes = 0;
  for await (const chunk of (await answer).body ?? []) bytes += (chunk as Uint8Array).length;
  return { bytes, ms: performance.now() - beganMs };
}

/** Resolves to how many megabytes more are in use at most, when everything is read and after each piece of the answer, than afterwards. */
async function peakOf(list: () => Response | Promise<Response>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inUse = async () => {
    collectGarbage();
    // Buffers are given back in the turn after.
    await turn();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const answer = await list();
  let peak = await inUse();
  for await (const _ of answer.body ?? []) peak = Math.max(peak, await inUse());
  return (peak - (await inUse())) / MEGABYTE;
}
