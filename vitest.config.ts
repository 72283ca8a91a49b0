import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** What only `npm run check` runs: too slow for a run after each change. A slice of each is in the file without `check` in its name. */
const CHECKED = 'test/**/*.check.test.ts';

/**
 * The files that need a process of their own: they measure its time or memory, use hooks that slow it down for good, set the environment for modules that read it
 * when they are loaded, or look at what a process does first.
 */
const ALONE = [
  'test/fuzz/**/*.test.ts',
  'test/simulation/{mutations,simulation}.test.ts',
  'test/simulation/cloud/cloud*.test.ts',
  'test/**/{answerAuthorizerEvent,deployedFunctions,emulatedCloud,syncMetrics}.test.ts',
];

/** The tests that wait for other programs most of the time. They load little that others load, too, and go first, so that others work meanwhile. */
const WAITING = [
  'test/e2e/{*ByKubectl,clients,cloud*,dashboard*,drain,endlessReplicas,informers,kinds,kubectl*,nodeIdentity,restart,startForTests}.test.ts',
  'test/e2e/clients/*.test.ts',
];

const exclude = [...configDefaults.exclude, CHECKED];

export default defineConfig({
  test: {
    // Tests and hooks start and stop processes of several programs, which a busy machine delays.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/leaveNoProcess.ts', 'test/support/keepBundles.ts'],
    setupFiles: 'test/support/answers/checkAnswers.ts',
    reporters: ['./test/support/SlowFiles.ts', 'default'],
    // The files wait for half of their time: for programs that start, and for clocks. With one worker more than cores, others work meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Vitest runs its projects in the order of their names. The longest files are alone, so they come first, and the short ones keep all workers busy until the end.
    projects: [
      { extends: true, test: { name: 'alone', include: [...ALONE, ...WAITING], exclude } },
      { extends: true, test: { name: 'check', include: [CHECKED] } },
      {
        extends: true,
        // To load the same hundreds of modules for each of these files took longer than their tests. A file leaves nothing behind, which `leaveNothing.ts` sees to.
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ALONE, ...WAITING],
          isolate: false,
          setupFiles: 'test/support/leaveNothing.ts',
        },
      },
    ],
  },
});
