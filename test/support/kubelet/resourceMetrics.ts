/** What something uses: cores, bytes, and since when. */
export interface Use {
  readonly cores: number;
  readonly bytes: number;
  readonly sinceMs: number;
}

/** Writes what a kubelet answers at `/metrics/resource` at that time. Containers are named `namespace/pod/container`. */
export function resourceMetrics(nowMs: number, node: Use, containers: Readonly<Record<string, Use>> = {}): string {
  const named = Object.entries(containers).map(([place, use]) => {
    const [namespace, pod, container] = place.split('/');
    return { labels: `{container="${container}",namespace="${namespace}",pod="${pod}"}`, use };
  });
  const cpu = ({ cores, sinceMs }: Use) => `${exponent((cores * (nowMs - sinceMs)) / 1_000)} ${nowMs}`;
  return [
    '# HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds',
    '# TYPE container_cpu_usage_seconds_total counter',
    ...named.map(({ labels, use }) => `container_cpu_usage_seconds_total${labels} ${cpu(use)}`),
    '# TYPE container_memory_working_set_bytes gauge',
    ...named.map(({ labels, use }) => `container_memory_working_set_bytes${labels} ${exponent(use.bytes)} ${nowMs}`),
    '# TYPE container_start_time_seconds gauge',
    ...named.map(({ labels, use }) => `container_start_time_seconds${labels} ${exponent(use.sinceMs / 1_000)}`),
    '# TYPE node_cpu_usage_seconds_total counter',
    `node_cpu_usage_seconds_total ${cpu(node)}`,
    '# TYPE node_memory_working_set_bytes gauge',
    `node_memory_working_set_bytes ${exponent(node.bytes)} ${nowMs}`,
    '# TYPE scrape_error gauge',
    'scrape_error 0',
    '',
  ].join('\n');
}

/** Go writes large numbers so: `1.7123e+09`. */
function exponent(value: number): string {
  return value >= 1e6 ? value.toExponential().replace(/e\+(\d)$/, 'e+0$1') : String(value);
}
