import { describe, expect, it } from 'vitest';
import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { parseLogOptions } from '../../../lambdas/rest/connect/logOptions.ts';
import { formatLines, selectLines } from '../../../lambdas/rest/connect/selectLines.ts';
import { simulatedLog } from '../../../lambdas/rest/connect/simulatedLog.ts';

const AT = Date.UTC(2026, 0, 1);
const running = { startedAt: '2026-01-01T00:01:00Z' };
const terminated = {
  exitCode: 3,
  reason: 'Error',
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:30Z',
  containerID: 'containerd://first',
};

function podWith(status: Partial<ContainerStatus>, annotations?: Record<string, string>): Pod {
  const whole = { name: 'main', image: 'nginx:1', imageID: '', ready: true, restartCount: 0, ...status };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '',
      ...(annotations && { annotations }),
    },
    status: { containerStatuses: [whole] },
  };
}

describe('the log of a simulated container', () => {
  it.each([
    [
      'a container that runs',
      { state: { running }, containerID: 'containerd://second' },
      false,
      ['main started with image nginx:1 (simulated)'],
    ],
    [
      'a container that has ended',
      { state: { terminated } },
      false,
      ['main started with image nginx:1 (simulated)', 'main ended with exit code 3 (Error)'],
    ],
    [
      'a container that waits to be restarted',
      { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } },
      false,
      ['main started with image nginx:1 (simulated)', 'main ended with exit code 3 (Error)'],
    ],
    [
      'the run before the last restart',
      { state: { running }, containerID: 'containerd://second', lastState: { terminated } },
      true,
      ['main started with image nginx:1 (simulated)', 'main ended with exit code 3 (Error)'],
    ],
  ])('tells of %s', (_, status, previous, texts) => {
    const log = simulatedLog(podWith(status), 'main', previous);
    expect(log).toMatchObject({ status: 'found', lines: texts.map((text) => ({ text })) });
  });

  it('has the lines of the annotation, which the container writes when it starts', () => {
    const pod = podWith(
      { state: { running }, containerID: 'containerd://second' },
      { 'simulate.driftless.dev/log': 'listening\nready\n' },
    );
    const log = simulatedLog(pod, 'main', false);
    const atMs = AT + 60_000;
    expect(log).toMatchObject({
      isOpen: true,
      lines: [{ atMs }, { atMs, text: 'listening' }, { atMs, text: 'ready' }],
    });
  });

  it.each([
    ['ContainerCreating', false, 'container "main" in pod "web" is waiting to start: ContainerCreating'],
    ['ErrImagePull', false, 'container "main" in pod "web" is waiting to start: image can\'t be pulled'],
    ['ImagePullBackOff', false, 'container "main" in pod "web" is waiting to start: trying and failing to pull image'],
    ['ContainerCreating', true, 'previous terminated container "main" in pod "web" not found'],
  ])('says as a kubelet why there is none: %s, previous %s', (reason, previous, why) => {
    expect(simulatedLog(podWith({ state: { waiting: { reason } } }), 'main', previous)).toEqual({
      status: 'unavailable',
      why,
    });
  });
});

describe('the lines that a client asks for', () => {
  const lines = [0, 10, 20, 30].map((seconds) => ({ atMs: AT + seconds * 1000, text: `after ${seconds} s` }));
  it.each([
    ['', ['after 0 s', 'after 10 s', 'after 20 s', 'after 30 s']],
    ['tailLines=1', ['after 30 s']],
    ['tailLines=0', []],
    ['tailLines=9', ['after 0 s', 'after 10 s', 'after 20 s', 'after 30 s']],
    ['sinceSeconds=15', ['after 20 s', 'after 30 s']],
    ['sinceTime=2026-01-01T00:00:10Z', ['after 10 s', 'after 20 s', 'after 30 s']],
    ['sinceTime=2026-01-01T00:00:10Z&tailLines=2', ['after 20 s', 'after 30 s']],
  ])('%s', (query, texts) => {
    const options = parseLogOptions(new URLSearchParams(query), 'web');
    expect(selectLines(lines, options, AT + 30_000).map(({ text }) => text)).toEqual(texts);
  });

  it('have their times before them if the client asks for that', () => {
    expect(formatLines(lines.slice(1, 2), { timestamps: true })).toBe('2026-01-01T00:00:10.000000000Z after 10 s\n');
  });
});

describe('the options of a log', () => {
  it.each([
    ['tailLines=-1', 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
    ['limitBytes=0', 'limitBytes: Invalid value: 0: must be greater than 0'],
    ['sinceSeconds=0', 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    ['sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 'at most one of `sinceTime` or `sinceSeconds` may be specified'],
    ['tailLines=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['sinceTime=noon', 'parsing time "noon"'],
  ])('%s is refused', (query, message) => {
    expect(() => parseLogOptions(new URLSearchParams(query), 'web')).toThrow(message);
  });
});
