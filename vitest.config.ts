import { configDefaults, defineConfig } from 'vitest/config';

/** The folders of tests whose files share a process and the modules they load. */
const SHARING = [
  'adapters/{https,simulated}',
  'controllers',
  'explain',
  'functions',
  'infra/{cdk,commandLine}',
  'objects',
  'registry',
  'rest',
  'scenarios',
];

/** The files in these folders that need a process of their own: they set the environment for modules that read it when they are loaded, or look at what a process does first. */
const ALONE = [
  'LastingServer',
  'answerAuthorizerEvent',
  'bundledRollout',
  'deployedFunctions',
  'export',
  'import',
  'sendOverNode',
  'start',
  'syncMetrics',
];

/** The tests of whole clusters that start other programs. The others run a cluster in their own process, and share it, too. */
const STARTING_PROGRAMS = [
  '*ByKubectl',
  'clients',
  'cloud*',
  'dashboard*',
  'endlessReplicas',
  'informers',
  'kinds',
  'kubectl*',
  'nodeIdentity',
  'package',
  'restart',
  'startForTests',
];

const TOGETHER = [
  `test/{${SHARING.join(',')}}/**/!(${ALONE.join('|')}).test.ts`,
  `test/e2e/!(${STARTING_PROGRAMS.join('|')}).test.ts`,
];

export default defineConfig({
  test: {
    // Tests and hooks start and stop processes of several programs, which a busy machine delays.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/keepBundles.ts', 'test/support/leaveNoProcess.ts'],
    // Two cores: more workers than that only make the slow tests slower.
    maxWorkers: 2,
    // Vitest runs its projects in the order of their names. The longest files are alone, so they come first, and the short ones keep both workers busy until the end.
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...TOGETHER] },
      },
      {
        extends: true,
        // To load the same hundreds of modules for each of these files took longer than their tests. A file leaves nothing behind, which `leaveNothing.ts` sees to.
        test: { name: 'together', include: TOGETHER, isolate: false, setupFiles: 'test/support/leaveNothing.ts' },
      },
    ],
  },
});
