import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Hooks start and stop processes of several programs, which a busy machine delays.
    hookTimeout: 60_000,
    // Two cores: more workers than that only make the slow tests slower.
    maxWorkers: 2,
  },
});
