import { describe, expect, it } from 'vitest';
import {
  MAX_CONTAINERS,
  type NodeSample,
  parseResourceMetrics,
  type UsagePoint,
} from '../../../lambdas/objects/nodes/parseResourceMetrics.ts';
import { resourceMetrics } from '../../support/kubelet/resourceMetrics.ts';

const NOW_MS = 1_767_225_600_000;
const CPU = 'container_cpu_usage_seconds_total';
const MEMORY = 'container_memory_working_set_bytes';
const WEB = '{container="main",namespace="default",pod="web"}';

function sampleOf(text: string): NodeSample {
  const parsed = parseResourceMetrics(text, NOW_MS);
  if (parsed.status === 'malformed') throw new Error(parsed.why);
  return parsed.sample;
}

/** The containers of `default/web`. */
function containersOf(...lines: string[]): Record<string, UsagePoint> | undefined {
  const containers = sampleOf(lines.join('\n')).pods.get('default/web');
  return containers && Object.fromEntries(containers);
}

const point = { timestampMs: NOW_MS, cpuSeconds: 1.5, memoryBytes: 2_048 };

describe('the text of a kubelet', () => {
  it('is read: the node, and containers by their pods', () => {
    const text = resourceMetrics(
      NOW_MS,
      { cores: 0.5, bytes: 3_000_000_000, sinceMs: NOW_MS - 4_000_000 },
      {
        'default/web/main': { cores: 0.2, bytes: 12_345_678, sinceMs: NOW_MS - 60_000 },
        'default/web/proxy': { cores: 0.1, bytes: 1_000, sinceMs: NOW_MS - 30_000 },
        'kube-system/dns/dns': { cores: 1, bytes: 1, sinceMs: NOW_MS - 1_000 },
      },
    );
    const { node, pods } = sampleOf(text);
    expect(node).toEqual({ timestampMs: NOW_MS, cpuSeconds: 2_000, memoryBytes: 3_000_000_000 });
    expect([...pods.keys()]).toEqual(['default/web', 'kube-system/dns']);
    expect(Object.fromEntries(pods.get('default/web') ?? [])).toEqual({
      main: { timestampMs: NOW_MS, cpuSeconds: 12, memoryBytes: 12_345_678, startTimeMs: NOW_MS - 60_000 },
      proxy: { timestampMs: NOW_MS, cpuSeconds: 3, memoryBytes: 1_000, startTimeMs: NOW_MS - 30_000 },
    });
  });

  it.each<[string, string[], Record<string, UsagePoint> | undefined]>([
    ['without a time', [`${CPU}${WEB} 1.5`, `${MEMORY}${WEB} 2048`], { main: point }],
    ['with its own time', [`${CPU}${WEB} 1.5 7`, `${MEMORY}${WEB} 2048 7`], { main: { ...point, timestampMs: 7 } }],
    ['with exponents', [`${CPU}${WEB} +1.5e+00`, `${MEMORY}${WEB} 2.048E+03`], { main: point }],
    ['with line ends of Windows', [`${CPU}${WEB} 1.5\r`, `${MEMORY}${WEB} 2048\r`], { main: point }],
    [
      'with spaces, an escaped label, a comma at the end and a brace in a label',
      [
        `${CPU}{ id="/a\\"}\\\\\\n 1 2" , container = "main",namespace="default",pod="web", }  1.5`,
        `${MEMORY}${WEB}\t2048 `,
      ],
      { main: point },
    ],
    ['without CPU', [`${MEMORY}${WEB} 2048`], undefined],
    ['without memory', [`${CPU}${WEB} 1.5`], undefined],
    ['whose CPU is 0', [`${CPU}${WEB} 0`, `${MEMORY}${WEB} 2048`], undefined],
    [
      'one of whose containers is not complete',
      [`${CPU}${WEB} 1.5`, `${MEMORY}${WEB} 2048`, `${CPU}${WEB.replace('main', 'other')} 1`],
      undefined,
    ],
    [
      'beside series that nobody asked for, however they look',
      [`${CPU}_other{ 5`, '# anything', '', 'up NaN', `${CPU}${WEB} 1.5`, `${MEMORY}${WEB} 2048`],
      { main: point },
    ],
  ])('a pod %s', (_, lines, expected) => expect(containersOf(...lines)).toEqual(expected));

  it.each([
    ['no value', `${CPU}${WEB}`],
    ['a value that is no number', `${CPU}${WEB} NaN`],
    ['an endless value', `${CPU}${WEB} +Inf`],
    ['a value that no float holds', `${CPU}${WEB} 1e400`],
    ['a value that no Quantity holds', `${MEMORY}${WEB} 1e300`],
    ['a value below zero', `${CPU}${WEB} -1`],
    ['a hexadecimal value', `${CPU}${WEB} 0x10`],
    ['a time that is no integer', `${CPU}${WEB} 1 1.5`],
    ['a time too far away', `${CPU}${WEB} 1 99999999999999999`],
    ['more than a value and a time', `${CPU}${WEB} 1 2 3`],
    ['labels that do not end', `${CPU}{container="main",namespace="default",pod="web" 1`],
    ['a label without quotes', `${CPU}{container=main,namespace="default",pod="web"} 1`],
    ['a label with an escape that there is not', `${CPU}{container="\\t",namespace="default",pod="web"} 1`],
    ['no pod', `${CPU}{container="main",namespace="default"} 1`],
    ['an empty pod', `${CPU}{container="main",namespace="default",pod=""} 1`],
    ['a line without end', `${CPU}{container="${'a'.repeat(20_000)}",namespace="default",pod="web"} 1`],
  ])('with %s is refused as a whole', (_, line) => {
    const text = `node_cpu_usage_seconds_total 1\n${line}\n`;
    expect(parseResourceMetrics(text, NOW_MS)).toEqual({
      status: 'malformed',
      why: expect.stringMatching(/^line 2: /),
    });
  });

  it('with more containers than a node runs is refused', () => {
    const lines = Array.from({ length: MAX_CONTAINERS + 1 }, (_, at) => `${CPU}${WEB.replace('main', `c${at}`)} 1`);
    expect(parseResourceMetrics(lines.join('\n'), NOW_MS).status).toBe('malformed');
    expect(parseResourceMetrics(lines.slice(1).join('\n'), NOW_MS).status).toBe('parsed');
  });
});
