import { badRequest, notFound } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { keyOf } from '../request/requestTarget.ts';
import { encodeStream } from '../response/encodeStream.ts';
import { methodNotAllowed } from '../response/statusOf.ts';
import { claimSlot, releasing } from '../watch/claimSlot.ts';
import { chooseContainer } from './chooseContainer.ts';
import { followKubeletLog } from './followKubeletLog.ts';
import { followLog } from './followLog.ts';
import { kubeletOf } from '../../registry/metrics/kubeletOf.ts';
import { requireNode } from './requireNode.ts';
import { type LogOptions, parseLogOptions } from './logOptions.ts';
import { readKubeletLog } from './readKubeletLog.ts';
import { formatLines, selectLines } from './selectLines.ts';
import { simulatedLog } from './simulatedLog.ts';

/** How long a log may be followed, if the host sets no limit: Kubernetes' longest default timeout of a watch. */
const LONGEST_FOLLOW_MS = 3_600_000;
const HEADERS = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' };

/** Answers `GET pods/NAME/log`: what the pod's kubelet says or, for a pod of a simulated node, what the simulation has written. Throws ApiError in Kubernetes' words. */
export async function serveLog(request: ResourceRequest): Promise<Response> {
  if (request.info.verb !== 'get') throw methodNotAllowed();
  const { registry, changeLog } = request.dependencies;
  const options = parseLogOptions(request.query, request.info.name);
  // The log's position is read first: what happens after the pod was read must come after it.
  const position = options.follow ? await changeLog.head('pods') : 0;
  const pod = await registry.get<Pod>(keyOf(request));
  if (!pod) throw notFound('pods', request.info.name);
  const container = chooseContainer(pod, options.container);
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') return new Response(null, { status: 204 });
  const node = await requireNode(registry, nodeName);
  if (isSimulatedNode(node)) return await answerSimulated(request, { pod, container, options, position });
  const { longestMs } = request.dependencies.watchLifetime ?? {};
  const wanted = { pod, container, options };
  const log =
    options.follow && longestMs !== undefined
      ? await followKubeletLog(request, kubeletOf(node), wanted, longestMs)
      : await readKubeletLog(request, kubeletOf(node), wanted);
  return new Response(log, { headers: HEADERS });
}

interface WantedLog {
  readonly pod: Pod;
  readonly container: string;
  readonly options: LogOptions;
  readonly position: number;
}

async function answerSimulated(request: ResourceRequest, wanted: WantedLog): Promise<Response> {
  const { container, options } = wanted;
  const { clock, watchLifetime, scriptedPod = (pod) => pod } = request.dependencies;
  const pod = scriptedPod(wanted.pod);
  const log = simulatedLog(pod, container, options.previous);
  if (log.status === 'unavailable') throw badRequest(log.why);
  if (!options.follow || !log.isOpen) {
    const text = formatLines(selectLines(log.lines, options, clock.now()), options);
    return new Response(limited(new TextEncoder().encode(text), options.limitBytes), { headers: HEADERS });
  }
  const durationMs = watchLifetime?.longestMs ?? LONGEST_FOLLOW_MS;
  const slot = await claimSlot(request, { lifetimeMs: durationMs, isOfOne: true });
  const gone = new AbortController();
  slot.taken?.addEventListener('abort', () => gone.abort(), { once: true });
  const lines = followLog(request, { ...wanted, log, endMs: clock.now() + durationMs, signal: gone.signal });
  const bytes = limitedBytes(lines, options.limitBytes);
  const body = encodeStream(
    releasing(bytes, slot.release),
    (some) => some,
    () => {
      gone.abort();
      void slot.release();
    },
  );
  return new Response(body, { headers: HEADERS });
}

/** Yields the bytes of the texts, at most as many as the limit allows. */
async function* limitedBytes(texts: AsyncGenerator<string, void, undefined>, limitBytes = Number.POSITIVE_INFINITY) {
  let leftBytes = limitBytes;
  for await (const text of texts) {
    const bytes = limited(new TextEncoder().encode(text), leftBytes);
    leftBytes -= bytes.length;
    // The status of the answer is sent with its first bytes.
    yield bytes;
    if (leftBytes === 0) return;
  }
}

function limited(bytes: Uint8Array<ArrayBuffer>, limitBytes = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
  return bytes.length <= limitBytes ? bytes : bytes.subarray(0, limitBytes);
}
