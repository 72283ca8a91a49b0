import { ApiError } from '../../objects/ApiError.ts';
import type { Node } from '../../objects/kinds.ts';
import { addSample, MAX_WINDOW_MS, type NodePoints, RESOLUTION_MS } from '../../objects/nodes/measureUsage.ts';
import { parseResourceMetrics } from '../../objects/nodes/parseResourceMetrics.ts';
import type { Backend, BackendConnections } from '../../ports/BackendConnections.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { KubeletMeasurements } from '../../ports/KubeletMeasurements.ts';
import { kubeletOf } from './kubeletOf.ts';

export interface KubeletScrapesParts {
  readonly backends: BackendConnections;
  readonly clock: Clock;
  /** Receives a line when a kubelet begins to give no answer. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** The most containers that are remembered of all nodes together. A node counts as one, and each takes about 500 bytes. Default: 200,000. */
  readonly maxRemembered?: number;
}

const PATH = '/metrics/resource';
const HEADERS = { accept: 'text/plain;version=0.0.4' };
/** How long one kubelet may take. */
const SCRAPE_TIMEOUT_MS = 5_000;
/** Kubelets whose turn comes later than this after the question are left out of the answer. */
const MAX_WAIT_MS = 5_000;
const MAX_AT_ONCE = 50;
/** A container takes about 600 bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_REMEMBERED = 200_000;

/** What is remembered of a node. */
interface Scraped {
  readonly uid: string;
  /** The node was asked at this time of the steady clock. */
  readonly askedMs: number;
  /** The last samples that it gave. */
  readonly points?: NodePoints | undefined;
  readonly size: number;
  /** Why the last question got no answer. */
  readonly failure?: string | undefined;
}

/**
 * Asks kubelets for what they measure, as metrics-server does, but only when somebody wants to know: a node that was asked within the last 15 seconds is not asked again. A rate needs two samples, so the first question about a node
 * finds none. A node that nobody asked about for five minutes is forgotten.
 */
export class KubeletScrapes implements KubeletMeasurements {
  readonly #parts: KubeletScrapesParts;
  /** By the nodes' names; what was asked last stands last. */
  readonly #scraped = new Map<string, Scraped>();
  /** The sum of the sizes of what is remembered. */
  #size = 0;
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: KubeletScrapesParts) {
    this.#parts = parts;
  }

  async of(nodes: readonly Node[]): Promise<ReadonlyMap<string, NodePoints>> {
    const startMs = this.#parts.clock.steadyMs();
    this.#forgetOld(startMs);
    const waiting = nodes.filter((node) => !this.#isRecent(node, startMs));
    const work = async () => {
      for (let node = waiting.shift(); node; node = waiting.shift()) {
        if (this.#parts.clock.steadyMs() - startMs > MAX_WAIT_MS) return;
        await this.#scrapeOnce(node);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, waiting.length) }, work));
    const endMs = this.#parts.clock.steadyMs();
    const known = nodes.flatMap((node): [string, NodePoints][] => {
      const scraped = this.#isRecent(node, endMs) ? this.#scraped.get(node.metadata.name) : undefined;
      return scraped?.points && scraped.failure === undefined ? [[node.metadata.name, scraped.points]] : [];
    });
    return new Map(known);
  }

  /** Whether this node, and not one of the same name before it, was asked within the resolution. */
  #isRecent({ metadata }: Node, nowMs: number): boolean {
    const scraped = this.#scraped.get(metadata.name);
    return scraped !== undefined && scraped.uid === metadata.uid && nowMs - scraped.askedMs < RESOLUTION_MS;
  }

  /** Several questions at once share the kubelet's answer. */
  #scrapeOnce(node: Node): Promise<void> {
    const { name, uid } = node.metadata;
    const place = `${name}/${uid}`;
    const running = this.#running.get(place) ?? this.#scrape(node).finally(() => this.#running.delete(place));
    this.#running.set(place, running);
    return running;
  }

  async #scrape(node: Node): Promise<void> {
    const { clock, log } = this.#parts;
    const { name, uid } = node.metadata;
    const askedMs = clock.steadyMs();
    const answer = await this.#ask(node);
    const former = this.#scraped.get(name);
    const before = former?.uid === uid ? former : undefined;
    if ('failure' in answer) {
      const { failure } = answer;
      if (failure !== before?.failure) log({ level: 'warn', msg: 'kubelet not measured', node: name, why: failure });
      this.#remember(name, { size: 1, ...before, uid, askedMs, failure });
    } else {
      const points = addSample(before?.points, answer.sample);
      this.#remember(name, { uid, askedMs, points, size: sizeOf(points) });
    }
  }

  async #ask(node: Node) {
    try {
      const text = await this.#read(kubeletOf(node));
      const parsed = parseResourceMetrics(text, this.#parts.clock.now());
      return parsed.status === 'parsed' ? { sample: parsed.sample } : { failure: parsed.why };
    } catch (error) {
      // What a connection breaks with while the answer is read, and a node without an address.
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async #read(backend: Backend): Promise<string> {
    const { backends } = this.#parts;
    const headers = new Headers(HEADERS);
    const answer = await backends.send({ backend, method: 'GET', path: PATH, headers, timeoutMs: SCRAPE_TIMEOUT_MS });
    if (answer.status === 'forbidden') throw new ApiError('Unknown', 'address not allowed');
    if (answer.status === 'unreachable') throw new ApiError('Unknown', answer.why);
    const { response } = answer;
    if (response.status === 200) return await readText(response.body);
    await response.body?.cancel();
    throw new ApiError('Unknown', `the kubelet answered ${response.status}`);
  }

  #forgetOld(nowMs: number): void {
    for (const [name, { askedMs }] of this.#scraped) if (nowMs - askedMs > MAX_WINDOW_MS) this.#forget(name);
  }

  #remember(name: string, scraped: Scraped): void {
    this.#forget(name);
    this.#scraped.set(name, scraped);
    this.#size += scraped.size;
    for (const [oldest] of this.#scraped) {
      if (this.#size <= (this.#parts.maxRemembered ?? MAX_REMEMBERED)) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#size -= this.#scraped.get(name)?.size ?? 0;
    this.#scraped.delete(name);
  }
}

function sizeOf({ pods }: NodePoints): number {
  let size = 1;
  for (const containers of pods.values()) size += containers.size;
  return size;
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new ApiError('Unknown', `the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
