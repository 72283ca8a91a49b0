import { defineConfig } from 'vitest/config';

/** `npm run test:cloud`: kubectl's tests against the emulated cloud, and those of the emulated cloud itself. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/leaveNoProcess.ts', 'test/support/keepBundles.ts'],
    reporters: ['./test/support/SlowFiles.ts', 'default'],
    env: { DRIFTLESS_E2E_ARGS: '--emulate-cloud --account-concurrency 1000' },
    include: ['test/e2e/{cloud,kubectl}*.test.ts', 'test/transcripts/emulated*.test.ts'],
    // The files of a worker share one emulated cloud, whose start takes as long as their tests; see `kubectlServer.ts`.
    isolate: false,
    // An emulated cloud keeps a core busy.
    maxWorkers: 2,
  },
});
