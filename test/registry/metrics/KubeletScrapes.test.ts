import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { usageOfNode } from '../../../lambdas/objects/nodes/measureUsage.ts';
import type { BackendAnswer, BackendRequest } from '../../../lambdas/ports/BackendConnections.ts';
import { KubeletScrapes, type KubeletScrapesParts } from '../../../lambdas/registry/metrics/KubeletScrapes.ts';
import { resourceMetrics, type Use } from '../../support/kubelet/resourceMetrics.ts';

const START_MS = Date.UTC(2026, 0, 1);
const IDLE: Use = { cores: 0.5, bytes: 1_000_000, sinceMs: START_MS - 60_000 };

let clock: VirtualClock;
let asked: BackendRequest[];
let logged: unknown[];
/** What each kubelet answers, by its address. Others use half a core. */
let answers: Map<string, () => BackendAnswer | Promise<BackendAnswer>>;
let scrapes: KubeletScrapes;
let open: (more?: Partial<KubeletScrapesParts>) => void;

beforeEach(() => {
  clock = new VirtualClock(START_MS);
  asked = [];
  logged = [];
  answers = new Map();
  const send = async (request: BackendRequest) => {
    asked.push(request);
    return (answers.get(request.backend.host) ?? (() => text(resourceMetrics(clock.now(), IDLE))))();
  };
  const log: KubeletScrapesParts['log'] = ({ why }) => logged.push(why);
  open = (more = {}) => {
    scrapes = new KubeletScrapes({ backends: { send, upgrade: send }, clock, log, ...more });
  };
  open();
});

function text(body: string | ReadableStream<Uint8Array>, status = 200): BackendAnswer {
  return { status: 'answered', response: new Response(body, { status }) };
}

function nodeAt(name: string, address?: string, uid = name): Node {
  const metadata = { name, uid, creationTimestamp: '2026-01-01T00:00:00Z' };
  const addresses = address === undefined ? [] : [{ type: 'InternalIP', address }];
  return { apiVersion: 'v1', kind: 'Node', metadata, status: { addresses } } as unknown as Node;
}

const NODE = nodeAt('worker', '10.0.0.7');
const OTHER = nodeAt('other', '10.0.0.8');

/** The CPU of those nodes whose usage is known. */
async function cpu(...nodes: Node[]): Promise<Record<string, string | undefined>> {
  const known = [...(await scrapes.of(nodes))].flatMap(([name, points]) => {
    const usage = usageOfNode(points);
    return usage ? [[name, usage.usage.cpu] as const] : [];
  });
  return Object.fromEntries(known);
}

describe('what a kubelet measures', () => {
  it('is known from the second sample on', async () => {
    expect(await cpu(NODE)).toEqual({});
    clock.advanceBy(15_000);
    expect(await cpu(NODE)).toEqual({ worker: '500m' });
    expect(asked).toMatchObject([
      { backend: { scheme: 'https', host: '10.0.0.7', port: 10250, isKubelet: true }, path: '/metrics/resource' },
      { method: 'GET', timeoutMs: 5_000 },
    ]);
  });

  it('is asked for once in 15 seconds, whoever asks, and once by those who ask together', async () => {
    await Promise.all([cpu(NODE), cpu(NODE, OTHER)]);
    clock.advanceBy(14_999);
    await cpu(NODE);
    expect(asked.map(({ backend }) => backend.host)).toEqual(['10.0.0.7', '10.0.0.8']);
    clock.advanceBy(1);
    expect(await Promise.all([cpu(NODE), cpu(NODE)])).toEqual([{ worker: '500m' }, { worker: '500m' }]);
    expect(asked).toHaveLength(3);
  });

  it('is not compared with a node of the same name before it', async () => {
    await cpu(NODE);
    clock.advanceBy(1_000);
    const again = nodeAt('worker', '10.0.0.7', 'another');
    expect(await cpu(again)).toEqual({});
    clock.advanceBy(15_000);
    expect(await cpu(again)).toEqual({ worker: '500m' });
  });

  it('is forgotten after five minutes', async () => {
    await cpu(NODE);
    clock.advanceBy(300_001);
    expect(await cpu(NODE)).toEqual({});
  });

  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('i/o timeout')),
  });
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('# nothing\n'.repeat(10_000))),
  });
  it.each<[string, () => BackendAnswer, string]>([
    [
      'cannot be reached',
      () => ({ status: 'unreachable', why: 'dial tcp: connection refused' }),
      'dial tcp: connection refused',
    ],
    ['has a forbidden address', () => ({ status: 'forbidden' }), 'address not allowed'],
    ['refuses', () => text('Forbidden', 403), 'the kubelet answered 403'],
    ['redirects', () => text('', 307), 'the kubelet answered 307'],
    [
      'answers something else',
      () => text('node_cpu_usage_seconds_total much'),
      'line 1: not a series of node_cpu_usage_seconds_total',
    ],
    ['breaks off', () => text(broken), 'i/o timeout'],
    ['does not come to an end', () => text(endless), 'the answer has more than 4194304 bytes'],
  ])('is known of the other nodes if one %s, which is asked again and logged once', async (_, answer, why) => {
    answers.set('10.0.0.7', answer);
    await cpu(NODE, OTHER);
    clock.advanceBy(15_000);
    answers.set('10.0.0.7', () => ({ status: 'unreachable', why }));
    expect(await cpu(NODE, OTHER)).toEqual({ other: '500m' });
    expect(logged).toEqual([why]);
    answers.delete('10.0.0.7');
    clock.advanceBy(15_000);
    expect(await cpu(NODE, OTHER)).toEqual({ other: '500m' });
    clock.advanceBy(15_000);
    expect(await cpu(NODE, OTHER)).toEqual({ worker: '500m', other: '500m' });
  });

  it('is not known while its kubelet is away, and is compared with what it said before', async () => {
    await cpu(NODE);
    answers.set('10.0.0.7', () => ({ status: 'unreachable', why: 'EOF' }));
    clock.advanceBy(15_000);
    expect(await cpu(NODE)).toEqual({});
    answers.delete('10.0.0.7');
    clock.advanceBy(15_000);
    const points = (await scrapes.of([NODE])).get('worker');
    expect(points && usageOfNode(points)).toMatchObject({ usage: { cpu: '500m' }, windowMs: 30_000 });
  });

  it('is not known of a node without an address', async () => {
    expect(await cpu(nodeAt('new'), NODE)).toEqual({});
    expect(logged).toEqual(['no preferred addresses found; known addresses: []']);
  });

  it('is asked of 50 nodes at a time, and of none whose turn comes after five seconds', async () => {
    const nodes = Array.from({ length: 120 }, (_, at) => nodeAt(`n${at}`, `10.1.0.${at}`));
    let under = 0;
    let most = 0;
    for (const { status } of nodes)
      answers.set(status?.addresses?.[0]?.address ?? '', async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setImmediate(resolve));
        under -= 1;
        // The second fifty are slow.
        if (asked.length > 50) clock.advanceBy(200);
        return text(resourceMetrics(clock.now(), IDLE));
      });
    await scrapes.of(nodes);
    expect([most, asked.length < nodes.length]).toEqual([50, true]);
  });

  it('is remembered of no more containers than fit: those of the nodes that were asked last', async () => {
    open({ maxRemembered: 100 });
    const containers = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`a/p${at}/c`, IDLE]));
    const nodes = Array.from({ length: 7 }, (_, at) => nodeAt(`n${at}`, `10.1.0.${at}`));
    for (const node of nodes) {
      answers.set(node.status?.addresses?.[0]?.address ?? '', () =>
        text(resourceMetrics(clock.now(), IDLE, containers)),
      );
      await cpu(node);
    }
    clock.advanceBy(15_000);
    const known: string[] = [];
    for (const node of nodes.toReversed()) known.push(...Object.keys(await cpu(node)));
    expect(known).toEqual(['n6', 'n5', 'n4', 'n3', 'n2']);
  });
});
