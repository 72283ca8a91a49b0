type Members = Readonly<Record<string, unknown>>;

/** A Job of one pod that succeeds after a second. `spec` adds to or replaces fields of its spec, `simulated` are annotations of its template, such as `fail-attempts`. */
export function jobManifest(spec: Members = {}, simulated: Readonly<Record<string, string>> = {}, name = 'pi') {
  const named = Object.entries(simulated).map(([key, value]) => [`simulate.driftless.dev/${key}`, value] as const);
  const containers = [{ name: 'main', image: 'perl:5' }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: {
      template: {
        metadata: { annotations: Object.fromEntries(named) },
        spec: { restartPolicy: spec['restartPolicy'] ?? 'Never', containers },
      },
      ...Object.fromEntries(Object.entries(spec).filter(([field]) => field !== 'restartPolicy')),
    },
  };
}
