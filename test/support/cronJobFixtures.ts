import { jobManifest } from './jobFixtures.ts';

type Members = Readonly<Record<string, unknown>>;

/** A CronJob whose Jobs have one pod that succeeds after a second. `spec` adds to or replaces fields of its spec, `simulated` are annotations of its pods. */
export function cronJobManifest(
  spec: Members = {},
  simulated: Readonly<Record<string, string>> = {},
  metadata: Members = {},
) {
  const { spec: jobSpec } = jobManifest({}, simulated);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'default', ...metadata },
    spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec }, ...spec },
  };
}
