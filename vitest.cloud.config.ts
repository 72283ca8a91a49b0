import { defineConfig } from 'vitest/config';

/** `npm run test:cloud`: the tests of the emulated cloud itself, and kubectl's against it. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is set up first is torn down last.
    globalSetup: ['test/support/leaveNoProcess.ts', 'test/support/keepBundles.ts'],
    reporters: ['./test/support/SlowFiles.ts', 'default'],
    env: { DRIFTLESS_E2E_ARGS: '--emulate-cloud --account-concurrency 1000' },
    // An emulated cloud keeps both cores of a small machine busy: two at a time take as long as one after the other, and what waits in their queues comes too late for the recordings.
    maxWorkers: 1,
    // For the same reason few scenarios are played at a time: each definition of a custom resource makes all functions read it anew, and with five of them requests take longer than the API allows.
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: { name: 'cloud', include: ['test/e2e/cloud*.test.ts', 'test/transcripts/emulated*.test.ts'] },
      },
      {
        extends: true,
        // The files of a worker share one emulated cloud, whose start takes as long as their tests; see `sharedServer.ts`.
        test: { name: 'kubectl', include: ['test/e2e/kubectl*.test.ts', 'test/e2e/rawFields.test.ts'], isolate: false },
      },
    ],
  },
});
