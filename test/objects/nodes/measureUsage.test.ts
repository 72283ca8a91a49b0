import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { addSample, type NodePoints, usageOfNode, usageOfPod } from '../../../lambdas/objects/nodes/measureUsage.ts';
import type { NodeSample, UsagePoint } from '../../../lambdas/objects/nodes/parseResourceMetrics.ts';

/** Seconds, cumulative CPU, and when the container started. */
type Point = readonly [seconds: number, cpuSeconds: number, startSeconds?: number];

function pointOf([seconds, cpuSeconds, startSeconds]: Point): UsagePoint {
  const start = startSeconds === undefined ? {} : { startTimeMs: startSeconds * 1_000 };
  return { timestampMs: seconds * 1_000, cpuSeconds, memoryBytes: 64 * 1024 * 1024, ...start };
}

function pointsOf(samples: readonly NodeSample[]): NodePoints {
  const points = samples.reduce<NodePoints | undefined>((known, sample) => addSample(known, sample), undefined);
  if (!points) throw new Error('a case needs a sample');
  return points;
}

const NEVER = 'unknown';

describe('the usage of a node or a container after some samples', () => {
  it.each<[string, Point[], string]>([
    ['one sample', [[100, 5]], NEVER],
    [
      '12 s of CPU in a minute',
      [
        [100, 5],
        [160, 17],
      ],
      '200m over 60 s',
    ],
    [
      'nothing used',
      [
        [100, 5],
        [115, 5],
      ],
      '0 over 15 s',
    ],
    [
      'a billionth is the smallest amount',
      [
        [100, 5],
        [103, 5.000_000_001],
      ],
      '0 over 3 s',
    ],
    [
      'only the last two count',
      [
        [100, 5],
        [115, 8],
        [130, 23],
      ],
      '1 over 15 s',
    ],
    [
      'the same times again',
      [
        [100, 5],
        [115, 8],
        [115, 8],
      ],
      '200m over 15 s',
    ],
    [
      'an older time',
      [
        [100, 5],
        [115, 8],
        [110, 8],
      ],
      '300m over 10 s',
    ],
    [
      'a time before both',
      [
        [100, 5],
        [115, 8],
        [90, 8],
      ],
      NEVER,
    ],
    [
      'a counter that began anew',
      [
        [100, 5],
        [115, 1],
      ],
      NEVER,
    ],
    [
      'a counter that began anew, and went on',
      [
        [100, 5],
        [115, 1],
        [130, 4],
      ],
      '200m over 15 s',
    ],
    [
      'a start since the last time',
      [
        [100, 5, 10],
        [160, 7, 140],
      ],
      NEVER,
    ],
    [
      'a start at the last time',
      [
        [100, 5, 10],
        [160, 7, 100],
      ],
      NEVER,
    ],
    [
      'a start before the last time',
      [
        [100, 5, 10],
        [160, 17, 10],
      ],
      '200m over 60 s',
    ],
    ['a container that is 12 s old', [[112, 6, 100]], '500m over 12 s'],
    ['a container that is 9 s old', [[109, 6, 100]], NEVER],
    ['a container that is 15 s old', [[115, 6, 100]], NEVER],
    [
      'samples five minutes apart',
      [
        [100, 5],
        [400, 65],
      ],
      '200m over 300 s',
    ],
    [
      'samples further apart',
      [
        [100, 5],
        [401, 65],
      ],
      NEVER,
    ],
  ])('%s', (_, points, expected) => {
    const pods = (point: UsagePoint) => new Map([['default/web', new Map([['main', point]])]]);
    const known = pointsOf(points.map(pointOf).map((point) => ({ node: point, pods: pods(point) })));
    const node = usageOfNode(known);
    expect(node ? `${node.usage.cpu} over ${node.windowMs / 1_000} s` : NEVER).toBe(expected);
    const pod = usageOfPod(known, podOf('main'));
    expect(pod ? `${pod.containers[0]?.usage.cpu} over ${pod.windowMs / 1_000} s` : NEVER).toBe(expected);
    if (node) expect(node.usage.memory).toBe('64Mi');
  });
});

function podOf(...containers: string[]): Pod {
  const metadata = { namespace: 'default', name: 'web', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' };
  const spec = { containers: containers.map((name) => ({ name, image: 'nginx:1' })) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec } as unknown as Pod;
}

function sampleOf(containers: Readonly<Record<string, Point>>): NodeSample {
  const points = Object.entries(containers).map(([name, point]) => [name, pointOf(point)] as const);
  return { pods: new Map([['default/web', new Map(points)]]) };
}

describe('the usage of a pod', () => {
  const before = sampleOf({ b: [100, 5], a: [101, 5] });

  it('has its containers in the order of its spec, and the oldest time', () => {
    const usage = usageOfPod(pointsOf([before, sampleOf({ b: [115, 8], a: [111, 9] })]), podOf('a', 'b', 'waiting'));
    expect(usage).toEqual({
      timestampMs: 111_000,
      windowMs: 10_000,
      containers: [
        { name: 'a', usage: { cpu: '400m', memory: '64Mi' } },
        { name: 'b', usage: { cpu: '200m', memory: '64Mi' } },
      ],
    });
  });

  it.each<[string, Readonly<Record<string, Point>>]>([
    ['a container is new', { a: [115, 8], b: [115, 8], c: [115, 8] }],
    ['a container began anew', { a: [115, 8], b: [115, 1] }],
  ])('is not known while %s', (_, containers) => {
    expect(usageOfPod(pointsOf([before, sampleOf(containers)]), podOf('a', 'b', 'c'))).toBeUndefined();
  });

  it('is not known of a pod that the kubelet does not tell of, nor of one of its name in another namespace', () => {
    const known = pointsOf([before, sampleOf({ a: [115, 8], b: [115, 8] })]);
    const pod = podOf('a');
    expect(usageOfPod(known, { ...pod, metadata: { ...pod.metadata, namespace: 'other' } })).toBeUndefined();
    expect(usageOfPod(pointsOf([before, { pods: new Map() }]), pod)).toBeUndefined();
  });

  it('is compared anew when a sample lacked the pod', () => {
    const again = pointsOf([before, { pods: new Map() }, sampleOf({ a: [115, 8], b: [115, 8] })]);
    expect(usageOfPod(again, podOf('a', 'b'))).toBeUndefined();
  });
});
